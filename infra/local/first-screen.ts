// What a person sees when the host is ready: where it is, whose keys to use, and what to try next.
import { join } from 'node:path';
import type { DemoAccount } from './demo-account.ts';

export function firstScreen(demo: DemoAccount, dataDir: string): string {
  const { base_url: base, live_key: key } = demo;
  const authorization = `-H "authorization: Bearer $KEY"`;
  return [
    `ready ${base}`,
    '',
    `  API reference  ${base}/docs`,
    `  demo account   ${demo.account_id}, its keys are in ${demo.path}`,
    `  data           ${join(dataDir, '.')} (delete it to start anew)`,
    ...demo.replaced.map(
      (env) => `  note           the ${env} key of the demo account was replaced; ${demo.path} holds the old one`,
    ),
    '',
    'Try it in another terminal:',
    '',
    `  export KEY=${key}`,
    `  curl -s ${base}/v1/users ${authorization} -H 'content-type: application/json' \\`,
    `    -d '{"external_ref": "ada", "timezone": "Europe/London"}'`,
    `  curl -s ${base}/v1/users ${authorization}`,
    `  curl -s ${base}/v1/providers ${authorization}`,
    `  curl -s ${base}/v1/metrics ${authorization}`,
    '',
    'Ctrl-C stops it; the data stay.',
    '',
  ].join('\n');
}
