/** What the user of the Action wants to have checked. */
export interface Inputs {
  files: string[];
  bootstrapFiles: string[];
  bootstrap: string;
  expectations: string[];
  targets: string[];
  as: string;
  require: string;
  failureThreshold: string;
  suppress: string;
  timeout: string;
  sarif: boolean;
  report: boolean;
  name: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the inputs from the variables that action.yml sets, and returns all problems at once. */
export function readInputs(env: Environment): { inputs: Inputs; problems: string[] } {
  const problems: string[] = [];
  const text = (name: string): string => env[`XDS_ACTION_${name}`]?.trim() ?? '';
  const lines = (name: string): string[] =>
    text(name)
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  const flag = (variable: string, name: string): boolean => {
    const value = text(variable);
    if (value !== 'true' && value !== 'false') problems.push(`The input ${name} is "${value}": write true or false.`);
    return value === 'true';
  };
  const inputs: Inputs = {
    files: lines('FILES'),
    bootstrapFiles: lines('BOOTSTRAP_FILES'),
    bootstrap: text('BOOTSTRAP'),
    expectations: lines('EXPECTATIONS'),
    targets: text('TARGETS').split(/\s+/).filter(Boolean),
    as: text('AS'),
    require: text('REQUIRE'),
    failureThreshold: text('FAILURE_THRESHOLD') || 'error',
    suppress: text('SUPPRESS'),
    timeout: text('TIMEOUT'),
    sarif: flag('SARIF', 'sarif'),
    report: flag('REPORT', 'report'),
    name: text('NAME') || 'xds-inspect',
  };
  if (inputs.require !== '' && inputs.as !== 'all') problems.push('The input require needs the input "as: all".');
  return { inputs, problems };
}
