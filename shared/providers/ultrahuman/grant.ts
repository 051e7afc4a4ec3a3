// Ultrahuman's consent. Its token reply names nobody, and what names somebody is not documented.
import type { Grant, GrantRules } from '../kit/grant.ts';
import { bearer, exchangeCode, fieldIn, judgeRefresh, standardGrant } from '../kit/standard-grant.ts';
import { isOk, jsonIn, Unexpected } from '../kit/vendor.ts';
import { ultrahuman } from './descriptor.ts';

const standard = standardGrant(ultrahuman);
const userInfoUrl = `${ultrahuman.apiUrl}/user_data/user_info`;
const names = ['user_id', 'id', 'username', 'email'];

/** A refresh token may live for no more than a day: used sooner, it is replaced in time. */
const mostLifeMs = 20 * 3_600_000;
const refreshedDaily = <Granted extends Grant>(grant: Granted, nowMs: number): Granted => ({
  ...grant,
  expiresMs: Math.min(grant.expiresMs ?? Number.POSITIVE_INFINITY, nowMs + mostLifeMs),
});

export const ultrahumanGrant: GrantRules = {
  ...standard,
  *exchange(asked) {
    const { grant } = yield* exchangeCode(ultrahuman, asked);
    const reply = yield bearer({ method: 'GET', url: userInfoUrl }, { grant });
    const isAllowed = reply.status !== 403 && reply.status !== 404;
    if (isAllowed && !isOk(reply)) throw new Unexpected('Ultrahuman account', reply);
    const json = isAllowed ? jsonIn(reply) : undefined;
    const account = names.map((name) => fieldIn(json, name)).find((each) => each !== undefined);
    // Nothing is pushed, so nobody else has to know the account by its name.
    return refreshedDaily({ ...grant, account: account ?? asked.externalId }, asked.nowMs);
  },
  refresh: standard.refresh && {
    ...standard.refresh,
    judge(reply, held) {
      const verdict = judgeRefresh(reply, held);
      return typeof verdict === 'string' ? verdict : refreshedDaily(verdict, held.nowMs);
    },
  },
};
