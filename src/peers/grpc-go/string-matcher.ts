import type { MessageView } from '../message-view.js';
import { quoted } from './go-text.js';
import { safeRegexError } from './regex.js';
import { reject } from './rejection.js';
import { printMessage } from './text-format.js';

/** Validates a StringMatcher, which may be missing. */
export function validateStringMatcher(matcher: MessageView | undefined, parent: MessageView): void {
  if (matcher === undefined) reject(parent, 'input StringMatcher proto is nil');
  const member = matcher.setMemberOf('exact');
  switch (member) {
    case 'exact':
      return;
    case 'prefix':
    case 'suffix':
    case 'contains':
      requireText(member, matcher.text(member), matcher);
      return;
    case 'safe_regex': {
      const regex = matcher.message('safe_regex')?.text('regex') ?? '';
      if (safeRegexError(regex) !== undefined)
        reject(matcher, `safe_regex matcher ${quoted(regex)} is invalid`, 'safe_regex');
      return;
    }
    default:
      reject(matcher, `unrecognized string matcher: ${printMessage(matcher)}`);
  }
}

/** Validates the text of a matcher for a part of a string. */
export function requireText(kind: string, text: string, part: MessageView): void {
  if (text === '') reject(part, `empty ${kind} is not allowed in StringMatcher`);
}
