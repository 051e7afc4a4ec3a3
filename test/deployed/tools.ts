// The Python tools of the deployment tests: the emulator and the template linter.
import { pythonEnvironment, SetupError } from '../harness/python-environment.ts';

const tools = { name: 'emulator-venv', packages: ['ministack==1.5.33', 'cfn-lint==1.58.0'], minMinor: 10 };

/** Returns the folder of the tools. Installs them the first time, which needs the network. */
export const installTools = (log: (line: string) => void): string => pythonEnvironment(tools, log);

if (import.meta.main) {
  try {
    console.log(installTools((line) => console.error(line)));
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
