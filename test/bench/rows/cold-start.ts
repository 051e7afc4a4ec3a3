// The CPU time of every function's cold start (load the bundle, handle the first event, make the
// first table call) relative to a bare Node start.
import type { FunctionSpec } from '../../../infra/function-spec.ts';
import { functions } from '../../../infra/functions.ts';
import { type BuiltFunctions, openBuiltFunctions } from '../built-functions.ts';
import { coldStartBaseline } from '../cold-start-baseline.ts';
import { createSandboxFixture, firstEvents } from '../lambda-events.ts';
import { type Measure, median } from '../row.ts';

const rounds = 13;
/** The increase allowed for the official packages. */
const maxRatioToBaseline = 1.3;
/** For functions that have no recorded baseline. */
const defaultBaseline = 5;

const specs: Record<string, FunctionSpec> = functions;
const printCpuScript = 'const { user, system } = process.cpuUsage(); process.stdout.write("\\n" + (user + system));';
const firstEventScript = `
  let calls = 0;
  require('node:diagnostics_channel').subscribe('http.client.request.start', () => { calls += 1; });
  const { handler } = require(process.env.BENCH_BUNDLE);
  handler(JSON.parse(process.env.BENCH_EVENT)).then((result) => {
    ${printCpuScript}
    const { statusCode = 200, batchItemFailures = [] } = result ?? {};
    if (statusCode !== 200 || batchItemFailures.length > 0) throw new Error('the function returned ' + JSON.stringify(result));
    if (calls < Number(process.env.BENCH_LEAST_CALLS)) throw new Error('it made no table call');
    process.exit();
  });
`;

export const measure: Measure = async () => {
  const built = await openBuiltFunctions();
  try {
    const events = Object.entries(firstEvents(await createSandboxFixture(built)));
    const bareCpu = async () => Number(await built.run(printCpuScript));
    let before = await bareCpu();
    const bare = [before];
    const ratios = new Map(events.map(([name]) => [name, [] as number[]]));
    for (let round = 0; round < rounds; round++)
      for (const [name, event] of events) {
        const cold = await measureFirstEvent(built, name, event);
        const after = await bareCpu();
        // Compared with the bare starts before and after it, so that load on the machine slows both
        // sides.
        ratios.get(name)?.push((2 * cold) / (before + after));
        bare.push(after);
        before = after;
      }
    return [
      { name: 'bare Node start', unit: 'ms CPU', value: median(bare) / 1000 },
      ...Array.from(ratios, ([name, measured]) => ({
        name: `cold start of ${name}`,
        unit: 'x bare Node',
        value: median(measured),
        bound: { max: Number((maxRatioToBaseline * (coldStartBaseline[name] ?? defaultBaseline)).toFixed(2)) },
      })),
    ];
  } finally {
    await built.stop();
  }
};

async function measureFirstEvent(built: BuiltFunctions, name: string, event: object): Promise<number> {
  const measured = await built.run(firstEventScript, name, {
    BENCH_EVENT: JSON.stringify(event),
    BENCH_LEAST_CALLS: specs[name]?.table.length === 0 ? '0' : '1',
  });
  return Number(measured);
}
