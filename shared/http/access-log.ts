// One log line for each request.
import type { MiddlewareHandler } from 'hono';
import type { Deps } from '../system/deps.ts';
import type { ApiEnv } from './api-env.ts';

export const logRequest =
  ({ log }: Pick<Deps, 'log'>): MiddlewareHandler<ApiEnv> =>
  async (c, next) => {
    const { env } = c;
    const { settledAdmission: previousAdmission } = env;
    env.startedMs ??= performance.now();
    await next();
    // This response was discarded. The line is about the one that takes its place.
    if (env.settledAdmission !== previousAdmission) return;
    const { status } = c.res;
    env.noteStatus?.(status);
    const failure = c.get('failure');
    const caller = c.get('caller');
    log(status >= 500 ? 'error' : 'info', 'request', {
      request_id: env.requestId,
      method: c.req.method,
      route: c.get('endpoint')?.route.path ?? null,
      status,
      ms: Math.round(performance.now() - env.startedMs),
      ...(failure ? { code: failure.code } : {}),
      ...(caller ? { account_id: caller.account, env: caller.env, caller: caller.kind } : {}),
      ...(failure && status >= 500 ? { cause: failure.cause } : {}),
    });
  };
