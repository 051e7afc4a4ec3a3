// The first step of every route: turns a request's credential into an admitted caller before
// anything else is parsed.
import type { Context, MiddlewareHandler } from 'hono';
import { type AdmittedCaller, RateLimited } from '../system/admission.ts';
import type { Deps } from '../system/deps.ts';
import { Failure } from '../system/failure.ts';
import { createAddressRateLimiter } from './address-rate-limiter.ts';
import type { ApiEnv } from './api-env.ts';
import { type CallerKind, type Credential, findCallerKind, type KnownCaller, type Recognize } from './caller-kind.ts';
import type { Endpoint } from './endpoint.ts';
import { clearResponse } from './replace-response.ts';

interface PresentedCredential {
  kind: CallerKind;
  credential: Credential;
}

export function createAdmission(deps: Deps) {
  const limit = createAddressRateLimiter(deps.clock);
  const recognizers = new Map<CallerKind, Recognize>();
  const getRecognizer = (kind: CallerKind): Recognize => {
    const recognize = recognizers.get(kind) ?? kind.createRecognizer(deps);
    recognizers.set(kind, recognize);
    return recognize;
  };

  /** Draws one request from the bucket of the caller's address. */
  const limitAddress = (c: Context<ApiEnv>): void => c.set('bucket', limit(c.env.address));

  /**
   * Over the limit, the response is not sent: a rate limit failure replaces it, without any of its
   * headers.
   */
  function limitAfterResponse(c: Context<ApiEnv>): void {
    const response = c.res;
    clearResponse(c);
    limitAddress(c);
    c.res = response;
  }

  /**
   * A caller with no credential, an unknown one or one that is not valid here draws on the bucket
   * of their address.
   */
  async function limitUnauthenticated<T>(c: Context<ApiEnv>, work: () => T | Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Failure && !(error instanceof RateLimited)) limitAddress(c);
      throw error;
    }
  }

  async function findCredential(c: Context<ApiEnv>, endpoint: Endpoint): Promise<Credential> {
    const { callers } = endpoint;
    for (const kind of new Set([...callers, ...callers.flatMap(({ alsoRecognizes = [] }) => alsoRecognizes)])) {
      const credential = await getRecognizer(kind)(c.req);
      if (!credential) continue;
      assertAllowed(c, endpoint, { kind, credential });
      return credential;
    }
    throw toUnauthenticatedFailure(c, callers);
  }

  const middleware =
    (endpoint: Endpoint): MiddlewareHandler<ApiEnv> =>
    async (c, next) => {
      c.set('endpoint', endpoint);
      if (endpoint.callers.length === 0) {
        if (!endpoint.unlimited) limitAddress(c);
        await next();
        if (endpoint.unlimited === 'known_senders' && !c.get('isKnownSender')) limitAfterResponse(c);
        return;
      }
      if (c.env.settledAdmission) {
        const settledAdmission = c.env.settledAdmission;
        applyAdmission(c, endpoint, await limitUnauthenticated(c, () => unwrapSettled(settledAdmission)));
        return next();
      }
      const credential = await limitUnauthenticated(c, () => findCredential(c, endpoint));
      if (credential.noteStatus) c.env.noteStatus = credential.noteStatus;
      const cachedCaller = endpoint.eager ? credential.findCachedCaller?.() : undefined;
      if (!cachedCaller) {
        applyAdmission(c, endpoint, await limitUnauthenticated(c, () => credential.admit()));
        return next();
      }
      c.set('caller', cachedCaller);
      const [admitted] = await Promise.allSettled([credential.admit(), next()]);
      if (admitted.status === 'fulfilled' && isUnchanged(cachedCaller, admitted.value, endpoint))
        return applyAdmission(c, endpoint, admitted.value);
      // The response that was prepared in the meantime is discarded. The request is answered again
      // in a new context, because this one already has that response's headers.
      clearResponse(c);
      c.env.settledAdmission = admitted;
    };

  return { limitAddress, middleware };
}

const isUnchanged = (cachedCaller: KnownCaller, admitted: AdmittedCaller<KnownCaller>, endpoint: Endpoint): boolean =>
  admitted.caller.form === cachedCaller.form && findRefusal(endpoint, admitted) === undefined;

function unwrapSettled<T>(settledAdmission: PromiseSettledResult<T>): T {
  if (settledAdmission.status === 'rejected') throw settledAdmission.reason;
  return settledAdmission.value;
}

function applyAdmission(c: Context<ApiEnv>, endpoint: Endpoint, admitted: AdmittedCaller<KnownCaller>): void {
  if (admitted.bucket) c.set('bucket', admitted.bucket);
  c.set('caller', admitted.caller);
  const refusal = findRefusal(endpoint, admitted);
  if (refusal) throw refusal;
}

function findRefusal(endpoint: Endpoint, { caller, suspended }: AdmittedCaller<KnownCaller>): Failure | undefined {
  const { callers, failures, liveOnly } = endpoint;
  if (suspended && failures?.includes('payment_required'))
    return new Failure(
      'payment_required',
      'The operator of this deployment has suspended the account. No data is lost. Ask the operator to resume it.',
      { details: { suspended_by: 'operator' } },
    );
  if (liveOnly && caller.env !== 'live')
    return new Failure('insufficient_scope', 'This endpoint is not available in the sandbox. Use a live key.');
  return findCallerKind(callers, caller)?.findRefusal?.(caller, endpoint);
}

function toUnauthenticatedFailure(c: Context<ApiEnv>, callers: readonly CallerKind[]): Failure {
  const presentedKind = callers.find((kind) => kind.isPresent(c.req));
  return presentedKind
    ? new Failure('invalid_token', presentedKind.unknownMessage)
    : new Failure('unauthorized', callers[0]?.missingMessage ?? 'A credential is required.');
}

/** Rejects what a kind of credential may never do on this route. Reads nothing from the table. */
function assertAllowed(
  c: Context<ApiEnv>,
  { callers, user }: Endpoint,
  { kind, credential }: PresentedCredential,
): void {
  if (!callers.includes(kind))
    throw new Failure(
      'insufficient_scope',
      kind.wrongEndpointMessage ?? 'This endpoint does not accept this kind of credential.',
    );
  if (credential.userId !== undefined && (user === undefined || credential.userId !== c.req.param(user)))
    throw new Failure('wrong_user', kind.otherUserMessage ?? 'This credential is limited to a different user.');
}
