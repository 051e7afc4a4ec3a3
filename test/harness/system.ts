// The whole system in memory for a test file, with its own engines. Every response is checked
// against the OpenAPI document of the caller's form.
import { loadBuiltFunctions } from '../../infra/build/built-functions.ts';
import { functions, queues } from '../../infra/functions.ts';
import { type Host, type HostOptions, startHost } from '../../infra/local/host.ts';
import { createAccount, type NewAccount } from '../../shared/accounts/accounts.ts';
import type { LogCode, LogFields } from '../../shared/platform/log-codes.ts';
import type { Log } from '../../shared/platform/ports.ts';
import { workerWriteDeadlineMs } from '../../shared/platform/write-deadline.ts';
import type { ApiForm } from '../../shared/system/caller.ts';
import { type TestClock, testClock } from './clock.ts';
import { createKeyInForm } from './form-key.ts';
import { type DocumentChecker, documentChecker } from './openapi-checker.ts';
import { type ApiResponse, type RequestOptions, sendRequest } from './send-request.ts';

export interface LogLine {
  level: Parameters<Log>[0];
  message: LogCode;
  fields: LogFields;
}

export interface System {
  host: Host;
  clock: TestClock;
  log: LogLine[];
  calls: { operation: string; readUnits: number; writeUnits: number }[];
  account(options?: { form?: ApiForm }): Promise<NewAccount>;
  /** A second key of a live environment that reads the same users in Form 1. */
  form1Key(accountId: string): Promise<string>;
  call(method: string, path: string, options?: RequestOptions): Promise<ApiResponse>;
  user(token: string, body?: object): Promise<string>;
  userToken(token: string, userId: string): Promise<string>;
  /**
   * Processes all pending work, including work that waits until earlier workers have passed their
   * write deadline.
   */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

export async function startSystem({
  startMs,
  ...options
}: Partial<HostOptions> & {
  /** The instant at which its clock begins. Defaults to now. */
  startMs?: number;
} = {}): Promise<System> {
  const clock = testClock();
  if (startMs !== undefined) clock.advance(startMs - clock.now());
  const log: LogLine[] = [];
  const calls: System['calls'] = [];
  const host = await startHost({
    port: 0,
    dataDir: 'memory',
    functions,
    queues,
    bundles: await loadBuiltFunctions(),
    clock,
    runsSchedules: false,
    log: (level, message, fields = {}) => log.push({ level, message, fields }),
    meter: (call) => calls.push(call),
    ...options,
  });
  const check = await documentChecker(host.baseUrl, 'openapi.json');
  let form1Check: Promise<DocumentChecker> | undefined;
  let consoleCheck: Promise<DocumentChecker> | undefined;
  async function checkOf(form: ApiForm, path: string): Promise<DocumentChecker> {
    if (path.startsWith('/console/api/')) {
      consoleCheck ??= documentChecker(host.baseUrl, 'openapi.console.json');
      return consoleCheck;
    }
    if (form === 2) return check;
    form1Check ??= documentChecker(host.baseUrl, 'openapi.form1.json');
    return form1Check;
  }
  /** The keys of Form 1 accounts, and the tokens issued with them. */
  const form1Tokens = new Set<string>();
  const formOf = (token: string | undefined): ApiForm => (token !== undefined && form1Tokens.has(token) ? 1 : 2);

  async function call(method: string, path: string, options: RequestOptions = {}): Promise<ApiResponse> {
    const response = await sendRequest(host.baseUrl, method, path, options);
    (await checkOf(formOf(options.token), path))(method, path, response);
    return response;
  }

  async function expectStatus(response: Promise<ApiResponse>, status: number): Promise<ApiResponse> {
    const got = await response;
    if (got.status !== status) throw new Error(`expected ${status}, got ${got.status}: ${got.text}`);
    return got;
  }

  return {
    host,
    clock,
    log,
    calls,
    call,
    async account({ form = 2 } = {}) {
      const account = await createAccount(host.deps, { name: 'a test', form });
      if (form === 1) for (const key of [account.live_key, account.sandbox_key]) form1Tokens.add(key);
      return account;
    },
    async form1Key(accountId) {
      const key = await createKeyInForm(host.deps, accountId, 1);
      form1Tokens.add(key);
      return key;
    },
    async user(token, body = {}) {
      return (await expectStatus(call('POST', '/v1/users', { token, body }), 201)).body.id;
    },
    async userToken(token, userId) {
      const response = call('POST', '/v1/auth/user-token', { token, body: { user_id: userId } });
      const issued: string = (await expectStatus(response, 200)).body.token;
      if (formOf(token) === 1) form1Tokens.add(issued);
      return issued;
    },
    async settle() {
      await host.drain();
      // The extra second is needed because delays are whole seconds.
      clock.advance(workerWriteDeadlineMs + 1_000);
      await host.drain();
    },
    stop: () => host.stop(),
  };
}
