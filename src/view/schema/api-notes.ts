import { DEPRECATED_FIELDS, READ_FIELDS } from '../../proto/generated/field-marks.js';
import { type CatalogueField, catalogueNames, xdsCatalogue } from '../../proto/json/catalogue.js';
import type { SchemaNotes } from '../../proto/json-schema/message-schemas.js';
import { UNREAD } from '../../resources/files/unread-fields.js';

const IGNORED = 'gRPC ignores this field.';
const NOT_READ = 'gRPC does not read this message.';

/** Messages that have nothing to do with what gRPC reads in a resource. */
const NOT_OF_RESOURCES =
  /^(envoy\.(admin|service\.(status|load_stats))\.v3|google\.(protobuf|rpc)|grpc\.reflection\.v1)\./;

type Marks = ReadonlyMap<string, ReadonlySet<number>>;

/** What editors show about the fields of the API: whether gRPC ignores them, and whether they are deprecated. */
export function apiNotes(): SchemaNotes {
  const read = byName(READ_FIELDS);
  const deprecated = byName(DEPRECATED_FIELDS);
  const reasons = unreadReasons();
  return {
    ofMessage: (name) => (read.has(name) || NOT_OF_RESOURCES.test(name) ? undefined : NOT_READ),
    ofField: (message, { number, name }) => {
      const reason = reasons.get(`${message}.${name}`);
      if (reason !== undefined) return `${reason}.`;
      return read.get(message)?.has(number) === false ? IGNORED : undefined;
    },
    isDeprecated: (message, { number }) => deprecated.get(message)?.has(number) === true,
  };
}

function byName(marks: readonly (readonly [number, readonly number[]])[]): Marks {
  return new Map(marks.map(([index, numbers]) => [catalogueNames[index] as string, new Set(numbers)]));
}

/** The reasons that `validate` prints, by the full name of the field. */
function unreadReasons(): Map<string, string> {
  const reasons = new Map<string, string>();
  for (const [message, fields] of Object.entries(UNREAD)) {
    for (const [path, reason] of Object.entries(fields ?? {})) reasons.set(fieldAt(message, path), reason);
  }
  return reasons;
}

/** Returns the full name of the field at the end of a path: `commonTlsContext.validationContext`. */
function fieldAt(message: string, path: string): string {
  let [owner, field]: [string, CatalogueField | undefined] = [message, undefined];
  for (const step of path.replaceAll('[]', '').split('.')) {
    if (field?.type.kind === 'message') owner = field.type.name;
    field = xdsCatalogue.message(owner)?.byName.get(step);
  }
  return `${owner}.${field?.name}`;
}
