import { xdsCatalogue } from '../proto/json/catalogue.js';
import { Redactor } from '../proto/redactor.js';
import { re2Error } from './regex/re2-syntax.js';

/** The redactor of everything that leaves the process as bytes: recordings and CSDS. */
export function xdsRedactor(): Redactor {
  return new Redactor(xdsCatalogue, (pattern) => re2Error(pattern) === undefined);
}
