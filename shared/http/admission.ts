// The first step of every route: from what a request shows to an admitted caller, before anything of it is parsed.
import type { Context, MiddlewareHandler } from 'hono';
import type { Deps } from '../domain/deps.ts';
import { Failure } from '../model/failure.ts';
import { addressLimit } from './address-limit.ts';
import type { CallerKind, Credential, KnownCaller, Recognize } from './callers/caller-kind.ts';
import type { Endpoint } from './endpoint.ts';
import type { KitEnv } from './kit-env.ts';

interface Door {
  /** Takes one request from the bucket of the address it came from. */
  limitAddress(c: Context<KitEnv>): void;
  /** `run` is the handler, for a caller who turns out to be served another form than was supposed. */
  middleware(endpoint: Endpoint, run: (c: Context<KitEnv>) => Promise<Response>): MiddlewareHandler<KitEnv>;
}

interface Shown {
  kind: CallerKind;
  credential: Credential;
}

export function admission(deps: Deps): Door {
  const limit = addressLimit(deps.clock);
  const limitAddress = (c: Context<KitEnv>) => c.set('bucket', limit(c.env.address));
  const opened = new Map<CallerKind, Recognize>();
  const recognizerOf = (kind: CallerKind): Recognize => {
    const recognize = opened.get(kind) ?? kind.open(deps);
    opened.set(kind, recognize);
    return recognize;
  };

  /** Whoever shows nothing, or nothing of ours, draws on the bucket of their address. */
  async function shownBy(c: Context<KitEnv>, { callers }: Endpoint): Promise<Shown> {
    try {
      for (const kind of new Set([...callers, ...callers.flatMap(({ tellsApart = [] }) => tellsApart)])) {
        const credential = await recognizerOf(kind)(c.req);
        if (credential) return { kind, credential };
      }
      throw stranger(c, callers);
    } catch (error) {
      if (error instanceof Failure) limitAddress(c);
      throw error;
    }
  }

  async function admit(c: Context<KitEnv>, endpoint: Endpoint, credential: Credential): Promise<KnownCaller> {
    const { caller, suspended, bucket } = await credential.admit();
    if (bucket) c.set('bucket', bucket);
    c.set('caller', caller);
    if (suspended && endpoint.failures?.includes('payment_required'))
      throw new Failure('payment_required', "The account's plan is suspended. Settle it to continue.");
    if (endpoint.liveOnly && caller.env !== 'live')
      throw new Failure('insufficient_scope', 'This endpoint requires a live key. It is not available in the sandbox.');
    return caller;
  }

  const middleware: Door['middleware'] = (endpoint, run) => async (c, next) => {
    c.set('endpoint', endpoint);
    if (endpoint.callers.length === 0) {
      if (!endpoint.unlimited) limitAddress(c);
      return next();
    }
    const shown = await shownBy(c, endpoint);
    mustBeAllowed(c, endpoint, shown);
    const likely = endpoint.eager ? shown.credential.lastSeen?.() : undefined;
    if (!likely) {
      await admit(c, endpoint, shown.credential);
      return next();
    }
    c.set('caller', likely);
    const [admitted] = await Promise.allSettled([admit(c, endpoint, shown.credential), next()]);
    if (admitted.status === 'fulfilled' && admitted.value.form === likely.form) return;
    // Dropped first, or its headers would be those of the next answer too.
    c.res = undefined;
    c.set('failure', undefined);
    if (admitted.status === 'rejected') throw admitted.reason;
    c.res = await run(c);
  };

  return { limitAddress, middleware };
}

function stranger(c: Context<KitEnv>, [kind]: readonly CallerKind[]): Failure {
  return c.req.header('authorization') === undefined
    ? new Failure('unauthorized', kind?.missing ?? 'A credential is required.')
    : new Failure('invalid_token', kind?.unknown ?? 'The credential is unknown.');
}

/** What a credential may never do on this route, whoever's it is; decided without reading anything. */
function mustBeAllowed(c: Context<KitEnv>, { callers, user }: Endpoint, { kind, credential }: Shown): void {
  if (!callers.includes(kind))
    throw new Failure('insufficient_scope', kind.elsewhere ?? 'This endpoint does not accept this kind of credential.');
  if (credential.userId !== undefined && (user === undefined || credential.userId !== c.req.param(user)))
    throw new Failure('wrong_user', 'This user token was issued for a different user.');
}
