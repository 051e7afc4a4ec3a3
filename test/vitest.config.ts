import { defineConfig } from 'vitest/config';
import { browserScriptFile, buildBrowserScriptModule, isBrowserScript } from '../infra/build/browser-script.ts';
import { budgetReporter } from './budget-reporter.ts';
import { isForEveryEngine, type Project, projectOf, testFiles } from './projects.ts';

const files = Map.groupBy(testFiles(), projectOf);

/** Pages embed scripts that are bundled for browsers, as in the bundles of the functions. */
const browserScripts = {
  name: 'browser-scripts',
  enforce: 'pre' as const,
  load: (id: string) => (isBrowserScript(id) ? buildBrowserScriptModule(browserScriptFile(id)) : undefined),
};

/** The functions run as they are deployed. */
const builtFunctionsSetup = { globalSetup: ['test/build-functions.ts'], setupFiles: ['test/source-mapped-stacks.ts'] };

/** Projects run one after another, the fastest first. */
const project = (name: Project, groupOrder: number) => ({
  extends: true as const,
  test: {
    name,
    include: files.get(name) ?? [],
    sequence: { groupOrder },
    ...(name === 'quick' ? {} : builtFunctionsSetup),
  },
});

/** The tests for every table engine, on the engine that `system` and `deep` do not use. */
const secondEngine = {
  extends: true as const,
  test: {
    name: 'second-engine',
    include: testFiles().filter(isForEveryEngine),
    provide: { tableEngine: 'dynamodb-local' as const },
    sequence: { groupOrder: 3 },
    ...builtFunctionsSetup,
  },
};

/** Each has a command that prepares what it needs, and runs alone. */
const standaloneProject = (name: 'deployed' | 'clients' | 'pages', testTimeout: number) => ({
  extends: true as const,
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    isolate: name !== 'pages',
    testTimeout,
    ...builtFunctionsSetup,
  },
});

/** Set where CI needs a report of all tests. */
const report = process.env['DAYBOOK_TEST_REPORT'];
const jsonReport = (outputFile: string): ['json', { outputFile: string }] => ['json', { outputFile }];

export default defineConfig({
  plugins: [browserScripts],
  test: {
    projects: [
      project('quick', 0),
      project('system', 1),
      project('deep', 2),
      secondEngine,
      standaloneProject('deployed', 60_000),
      standaloneProject('clients', 120_000),
      standaloneProject('pages', 180_000),
    ],
    pool: 'forks',
    // Modules hold only caches, so files that run in sequence may share them. Loading modules anew
    // for each file took a tenth of the time. A test that stubs something must restore it.
    isolate: false,
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['default', budgetReporter(), ...(report ? [jsonReport(report)] : [])],
  },
});
