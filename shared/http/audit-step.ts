// Records in the audit trail what the callers of endpoints do. Only callers with an `actor` are
// recorded; a request of anyone else passes without a write.
import type { Context, MiddlewareHandler } from 'hono';
import * as z from 'zod';
import { type Act, isRecorded, recordAct } from '../audit/record-act.ts';
import { createLookRecorder } from '../audit/record-look.ts';
import { Environment } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import type { ApiEnv } from './api-env.ts';
import type { Endpoint } from './endpoint.ts';
import { clearResponse } from './replace-response.ts';
import { describeRequest } from './shorten-to-network.ts';

type Handler = (c: Context<ApiEnv>) => Promise<Response>;

export function createAuditSteps(deps: Deps) {
  const recordLook = createLookRecorder(deps);

  /**
   * The handler with the entry of its act around it. What was rejected before, because of the
   * credential, the role or the form of the request, was no act; the access log has it.
   */
  const recordActs = ({ audits, user }: Endpoint, handler: Handler): Handler => {
    if (!audits || audits === 'user.looked_at') return handler;
    return (c) => {
      const who = readActor(c);
      if (!who || !isRecorded(audits, who.actor)) return handler(c);
      const params = c.req.param();
      const { user_id, environment = who.env } = readNamed(c);
      const ids = [params[user ?? ''], ...Object.values(params), user_id];
      const act = { ...who, env: environment, action: audits, ids };
      return recordAct(
        deps,
        act,
        () => handler(c),
        () => c.get('actedOn') ?? [],
      );
    };
  };

  /**
   * Runs around admission, because a read may be prepared for a caller that is then rejected. Reads
   * that found no user are no looks.
   */
  const recordLooks =
    (endpoint: Endpoint): MiddlewareHandler<ApiEnv> =>
    async (c, next) => {
      const { settledAdmission: previousAdmission } = c.env;
      await next();
      if (!isLook(endpoint) || c.env.settledAdmission !== previousAdmission || c.get('failure')) return;
      const [who, user] = [readActor(c), c.req.param(endpoint.user)];
      if (!who || user === undefined) return;
      try {
        await recordLook(who, user);
      } catch (error) {
        // The response must not leave without its entry, and the failure must not inherit its headers.
        clearResponse(c);
        throw error;
      }
    };

  return { recordActs, recordLooks };
}

const isLook = (endpoint: Endpoint): endpoint is Endpoint & { user: string } =>
  endpoint.user !== undefined && (endpoint.route.method === 'get' || endpoint.audits === 'user.looked_at');

function readActor(c: Context<ApiEnv>): Omit<Act, 'action' | 'ids'> | undefined {
  const { account, env, actor } = c.get('caller') ?? {};
  if (!actor || account === undefined || env === undefined) return undefined;
  return { account, env, actor, request: describeRequest(c.env) };
}

/** The endpoints for tokens name the user in the body, and those for keys name the environment. */
const Named = z.object({
  user_id: z.string().optional().catch(undefined),
  environment: Environment.optional().catch(undefined),
});

/** The body is validated by then. The cast is safe because the result is parsed. */
const readNamed = (c: Context<ApiEnv>): z.infer<typeof Named> =>
  Named.parse(Object.assign({}, c.req.valid('json' as never), c.req.param()));
