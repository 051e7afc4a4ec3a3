// What a process that makes calls leaves behind: no output that contains their input, and nothing
// that keeps it from exiting.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { answer, hangUp, refuse, type Step, scriptedServer } from './scripted-server.ts';

/**
 * Runs in a process of its own, because the SDK takes its logger from the console when it is
 * loaded, before a test can listen to it.
 */
async function runPut(endpoint: string, timeoutMs: number) {
  const program = `
    import { PutItemCommand } from '@aws-sdk/client-dynamodb';
    import { testDynamoDb } from ${JSON.stringify(new URL('./clients.ts', import.meta.url).href)};
    const client = testDynamoDb(${JSON.stringify(endpoint)}, { timeoutMs: ${timeoutMs} });
    await client.send(new PutItemCommand({ TableName: 'daybook', Item: { pk: { S: 'heart' } } })).catch(() => {});`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 20_000,
  });
  const [output, errorOutput, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code, said: output + errorOutput };
}

test.each<[string, Step]>([
  ['succeeds', answer(200, {})],
  ['is rejected', refuse('ValidationException')],
  ['is lost', hangUp],
])('a call that %s is not logged, and its timeout ends with it', async (_what, step) => {
  await using server = await scriptedServer(step);
  expect(await runPut(server.endpoint, 60_000)).toEqual({ code: 0, said: '' });
});
