import {
  ASYMMETRIC_MATCHERS_OBJECT,
  chai,
  customMatchers,
  GLOBAL_EXPECT,
  getState,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
  setState,
} from '@vitest/expect';

/**
 * The part of vitest's API that the tests use, on top of mocha. Stryker's runner for vitest imports all modules again for
 * every mutant, which takes longer than most tests; its runner for mocha loads them once.
 */

type Body = (...args: never[]) => unknown;
type Define = (title: string, run: () => unknown) => unknown;
interface Mocha {
  describe: Define;
  it: Define & { skip: Define };
  before(run: () => unknown): void;
  after(run: () => unknown): void;
  beforeEach(run: () => unknown): void;
  afterEach(run: () => unknown): void;
}
const mocha = globalThis as unknown as Mocha;

chai.use(JestExtend);
chai.use(JestChaiExpect);
chai.use(JestAsymmetricMatchers);
const assert = ((value: unknown, message?: string) => chai.expect(value, message)) as never;
Object.assign(assert, chai.expect);
Object.assign(assert, (globalThis as never)[ASYMMETRIC_MATCHERS_OBJECT]);
Object.assign(globalThis, { [GLOBAL_EXPECT]: assert });
setState({ ...getState(assert), assertionCalls: 0, isExpectingAssertions: false }, assert);
(chai.expect as unknown as { extend(expect: unknown, matchers: object): void }).extend(assert, customMatchers);
export const expect = assert;

let count = 0;

/** Defines a test or a suite. A number makes the title unique: Stryker selects tests by title. */
function define(by: Define, title: string, first: unknown, second: unknown, args: readonly unknown[]): void {
  const body = (typeof first === 'function' ? first : second) as Body | undefined;
  const unique = by === mocha.it ? `${title} #${++count}` : title;
  by(unique, body === undefined ? () => undefined : () => body(...(args as never[])));
}

function definer(by: () => Define): unknown {
  const plain = (title: string, first?: unknown, second?: unknown) => define(by(), title, first, second, []);
  const each = (rows: readonly unknown[]) => (title: string, first: unknown, second?: unknown) => {
    for (const row of rows) define(by(), title, first, second, Array.isArray(row) ? row : [row]);
  };
  const skip = (title: string) => mocha.it.skip(title, () => undefined);
  const when = (isOn: boolean) => (isOn ? api : Object.assign(skip, { each: () => skip }));
  const api = Object.assign(plain, {
    each,
    skip,
    skipIf: (off: unknown) => when(!off),
    runIf: (on: unknown) => when(!!on),
  });
  return Object.assign(api, { concurrent: api, sequential: api });
}

export const it = definer(() => mocha.it);
export const describe = definer(() => mocha.describe);
// Only the arguments that vitest would pass: mocha waits for a callback if a hook has parameters.
export const beforeAll = (run: () => unknown): void => mocha.before(() => run());
export const afterAll = (run: () => unknown): void => mocha.after(() => run());
export const beforeEach = (run: () => unknown): void => mocha.beforeEach(() => run());
export const afterEach = (run: () => unknown): void => mocha.afterEach(() => run());
