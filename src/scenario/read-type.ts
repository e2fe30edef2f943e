import { didYouMean } from '../base/nearest.js';
import { type Shape, text } from '../base/shape.js';
import { RESOURCE_TYPES, typeUrlOf } from '../proto/resource-types.js';

const SHORT_NAMES = Object.keys(RESOURCE_TYPES);

/** Reads a resource type: a short name, or a type URL, which contains a slash. */
export const resourceType: Shape<string> = (value, problems) => {
  const type = text(value, problems);
  if (type === undefined || type.includes('/') || SHORT_NAMES.includes(type)) return type && typeUrlOf(type);
  const hint = didYouMean(type, SHORT_NAMES) || `: expected ${SHORT_NAMES.join(', ')} or a type URL`;
  return problems.add(`"${type}" is not a resource type${hint}`);
};
