// The first step of every route: from what a request shows to an admitted caller, before anything of it is parsed.
import type { Context, MiddlewareHandler } from 'hono';
import { type Admitted, RateLimited } from '../system/admission.ts';
import type { Deps } from '../system/deps.ts';
import { Failure } from '../system/failure.ts';
import { addressLimit } from './address-limit.ts';
import type { CallerKind, Credential, KnownCaller, Recognize } from './caller-kind.ts';
import type { Endpoint } from './endpoint.ts';
import type { KitEnv } from './kit-env.ts';

interface Shown {
  kind: CallerKind;
  credential: Credential;
}

export function admission(deps: Deps) {
  const limit = addressLimit(deps.clock);
  const opened = new Map<CallerKind, Recognize>();
  const recognizerOf = (kind: CallerKind): Recognize => {
    const recognize = opened.get(kind) ?? kind.open(deps);
    opened.set(kind, recognize);
    return recognize;
  };

  /** Takes one request from the bucket of the address it came from. */
  const limitAddress = (c: Context<KitEnv>): void => c.set('bucket', limit(c.env.address));

  /**
   * An answer that is too many is not given: another one takes its place, with none of its headers.
   */
  function limitAnswered(c: Context<KitEnv>): void {
    const answer = c.res;
    c.res = undefined;
    limitAddress(c);
    c.res = answer;
  }

  /** Whoever shows nothing, nothing of ours, or nothing that is good here, draws on the bucket of their address. */
  async function limitingStrangers<T>(c: Context<KitEnv>, work: () => T | Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Failure && !(error instanceof RateLimited)) limitAddress(c);
      throw error;
    }
  }

  async function shownBy(c: Context<KitEnv>, endpoint: Endpoint): Promise<Credential> {
    const { callers } = endpoint;
    for (const kind of new Set([...callers, ...callers.flatMap(({ tellsApart = [] }) => tellsApart)])) {
      const credential = await recognizerOf(kind)(c.req);
      if (!credential) continue;
      mustBeAllowed(c, endpoint, { kind, credential });
      return credential;
    }
    throw stranger(c, callers);
  }

  const middleware =
    (endpoint: Endpoint): MiddlewareHandler<KitEnv> =>
    async (c, next) => {
      c.set('endpoint', endpoint);
      if (endpoint.callers.length === 0) {
        if (!endpoint.unlimited) limitAddress(c);
        await next();
        if (endpoint.unlimited === 'known_senders' && !c.get('isKnownSender')) limitAnswered(c);
        return;
      }
      if (c.env.admission) {
        const settled = c.env.admission;
        enter(c, endpoint, await limitingStrangers(c, () => outcomeOf(settled)));
        return next();
      }
      const credential = await limitingStrangers(c, () => shownBy(c, endpoint));
      const likely = endpoint.eager ? credential.lastSeen?.() : undefined;
      if (!likely) {
        enter(c, endpoint, await limitingStrangers(c, () => credential.admit()));
        return next();
      }
      c.set('caller', likely);
      const [admitted] = await Promise.allSettled([credential.admit(), next()]);
      if (admitted.status === 'fulfilled' && isStill(likely, admitted.value, endpoint))
        return enter(c, endpoint, admitted.value);
      // What was answered meanwhile is for nobody. Asked again, in a context of its own: this one has that answer's headers.
      c.env.admission = admitted;
    };

  return { limitAddress, middleware };
}

const isStill = (likely: KnownCaller, admitted: Admitted<KnownCaller>, endpoint: Endpoint): boolean =>
  admitted.caller.form === likely.form && refusalOf(endpoint, admitted) === undefined;

function outcomeOf<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}

function enter(c: Context<KitEnv>, endpoint: Endpoint, admitted: Admitted<KnownCaller>): void {
  if (admitted.bucket) c.set('bucket', admitted.bucket);
  c.set('caller', admitted.caller);
  const refusal = refusalOf(endpoint, admitted);
  if (refusal) throw refusal;
}

function refusalOf({ failures, liveOnly }: Endpoint, { caller, suspended }: Admitted<KnownCaller>) {
  if (suspended && failures?.includes('payment_required'))
    return new Failure('payment_required', "The account's plan is suspended. Settle it to continue.");
  if (liveOnly && caller.env !== 'live')
    return new Failure('insufficient_scope', 'A live key is required: this endpoint is not available in the sandbox.');
  return undefined;
}

function stranger(c: Context<KitEnv>, callers: readonly CallerKind[]): Failure {
  const shown = callers.find((kind) => kind.shows(c.req));
  return shown
    ? new Failure('invalid_token', shown.unknown)
    : new Failure('unauthorized', callers[0]?.missing ?? 'A credential is required.');
}

/** What a credential may never do on this route, whoever's it is; decided without reading anything. */
function mustBeAllowed(c: Context<KitEnv>, { callers, user }: Endpoint, { kind, credential }: Shown): void {
  if (!callers.includes(kind))
    throw new Failure('insufficient_scope', kind.elsewhere ?? 'This endpoint does not accept this kind of credential.');
  if (credential.userId !== undefined && (user === undefined || credential.userId !== c.req.param(user)))
    throw new Failure('wrong_user', kind.otherUser ?? 'This credential is limited to a different user.');
}
