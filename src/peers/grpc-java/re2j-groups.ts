import { UNICODE_GROUPS } from '../../resources/regex/unicode-groups.js';

/** The scripts that are newer than the Unicode version of RE2/J. */
const NEWER = `
  Adlam Ahom Anatolian_Hieroglyphs Bassa_Vah Bhaiksuki Caucasian_Albanian Chakma Chorasmian Cypro_Minoan
  Dives_Akuru Dogra Duployan Elbasan Elymaic Grantha Gunjala_Gondi Hanifi_Rohingya Hatran Khitan_Small_Script
  Khojki Khudawadi Linear_A Mahajani Makasar Manichaean Marchen Masaram_Gondi Medefaidrin Mende_Kikakui
  Meroitic_Cursive Meroitic_Hieroglyphs Miao Modi Mro Multani Nabataean Nandinagari Newa Nushu
  Nyiakeng_Puachue_Hmong Old_Hungarian Old_North_Arabian Old_Permic Old_Sogdian Old_Uyghur Osage Pahawh_Hmong
  Palmyrene Pau_Cin_Hau Psalter_Pahlavi Sharada Siddham SignWriting Sogdian Sora_Sompeng Soyombo Takri Tangsa
  Tangut Tirhuta Toto Vithkuqi Wancho Warang_Citi Yezidi Zanabazar_Square`;

const NEWER_GROUPS: ReadonlySet<string> = new Set(NEWER.trim().split(/\s+/));

/** Whether RE2/J knows a class of characters, as in `\p{Greek}`. */
export function isUnicodeGroup(name: string): boolean {
  return UNICODE_GROUPS.has(name) && !NEWER_GROUPS.has(name);
}
