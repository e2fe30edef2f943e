import { RE2JS } from 're2js';

/** The entry of the script that is embedded only if a resource has a regular expression. */
(globalThis as { xdsInspectRe2?: typeof RE2JS }).xdsInspectRe2 = RE2JS;
