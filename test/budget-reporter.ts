// Prints at the end of every run how long each project took compared with its budget, and which
// files were slowest. It never fails a run, because machines are shared and noisy.
import path from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

/**
 * Seconds on two idle cores. `npm run verify` has 60 in total, part of which goes to formatting,
 * linting and type checks. `npm test` has 300 and `npm run test:deep` 900.
 */
const budgets: Readonly<Record<string, number>> = { quick: 45, system: 255, deep: 700, 'second-engine': 200 };
const slowestCount = 20;

export function budgetReporter(): Reporter {
  const startedAt = new Map<string, number>();
  const endedAt = new Map<string, number>();
  return {
    onTestModuleQueued({ project }) {
      if (!startedAt.has(project.name)) startedAt.set(project.name, performance.now());
    },
    onTestModuleEnd({ project }) {
      endedAt.set(project.name, performance.now());
    },
    onTestRunEnd(modules) {
      console.log('');
      for (const [name, start] of startedAt) {
        const ofProject = modules.filter(({ project }) => project.name === name);
        console.log(projectLine(name, (endedAt.get(name) ?? start) - start, ofProject));
      }
      const slowest = modules.toSorted((a, b) => secondsOf(b) - secondsOf(a)).slice(0, slowestCount);
      if (modules.length < 2) return;
      console.log(`\nthe slowest ${slowest.length} of ${modules.length} files, in seconds:`);
      for (const module of slowest) {
        console.log(`${secondsOf(module).toFixed(1).padStart(7)}  ${path.relative('.', module.moduleId)}`);
      }
    },
  };
}

function projectLine(name: string, milliseconds: number, modules: readonly TestModule[]): string {
  const budget = budgets[name];
  const duration = `${name.padEnd(13)} ${(milliseconds / 1000).toFixed(0).padStart(4)} s`;
  const files = `${modules.length} files, ${modules.reduce((sum, one) => sum + secondsOf(one), 0).toFixed(0)} s of tests`;
  if (budget === undefined) return `${duration}  (${files})`;
  const over = milliseconds / 1000 > budget ? ', which exceeds it' : '';
  return `${duration} of a budget of ${budget} s${over}  (${files})`;
}

/** Includes the time to load its modules. */
function secondsOf(module: TestModule): number {
  const { duration, collectDuration, setupDuration } = module.diagnostic();
  return (duration + collectDuration + setupDuration) / 1000;
}
