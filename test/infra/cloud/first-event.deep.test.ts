// Runs every function from its bundle as Lambda does, against local engines with http:// endpoints,
// and sends it its first event.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FunctionSpec } from '../../../infra/function-spec.ts';
import { functions } from '../../../infra/functions.ts';
import { type BuiltFunctions, openBuiltFunctions } from '../../bench/built-functions.ts';
import { createSandboxFixture, firstEvents } from '../../bench/lambda-events.ts';

let built: BuiltFunctions;
let events: Record<string, object>;
beforeAll(async () => {
  built = await openBuiltFunctions();
  events = firstEvents(await createSandboxFixture(built));
}, 120_000);
afterAll(() => built?.stop());

const script = `
  let calls = 0;
  require('node:diagnostics_channel').subscribe('http.client.request.start', () => { calls += 1; });
  const { handler } = require(process.env.BENCH_BUNDLE);
  handler(JSON.parse(process.env.TEST_EVENT)).then((result) => {
    const { statusCode = 200, batchItemFailures: failures = [] } = result ?? {};
    const loaded = process.moduleLoadList.filter((name) => name.includes('undici/undici'));
    process.stdout.write('\\n' + JSON.stringify({ statusCode, failures, loaded, called: calls > 0 }));
    process.exit();
  });
`;

const specs: [string, FunctionSpec][] = Object.entries(functions);

test.each(specs)(
  "%s serves its first event without loading the runtime's own HTTP client, which doubles a bare start",
  async (name, spec) => {
    const output = await built.run(script, name, { TEST_EVENT: JSON.stringify(events[name]) });
    // The stream function has no table grant, but it sends messages.
    const called = spec.table.length > 0 || spec.trigger.kind === 'stream';
    expect(JSON.parse(output)).toEqual({ statusCode: 200, failures: [], loaded: [], called });
  },
);
