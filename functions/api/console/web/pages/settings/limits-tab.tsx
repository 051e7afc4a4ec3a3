// What this account may do at most.
import { environment } from '../../address/address.ts';
import { v1 } from '../../api/client.ts';
import { unwrap } from '../../api/failures.ts';
import { Panel } from '../../parts/panel.tsx';
import { formatNumber } from '../../state/format.ts';
import { useResource } from '../../state/resource.ts';
import { me } from '../../state/session.ts';
import { words } from '../../words/en.ts';

export function LimitsTab() {
  const session = useResource(`limits ${environment.value}`, readSessionLimit);
  const account = me.value?.account;
  return (
    <section class="page-section stack">
      <h2>{words.settings.limits.heading}</h2>
      <p class="muted">{words.settings.limits.note}</p>
      <Panel of={session} minHeight="6rem">
        {(limit) => (
          <dl class="facts">
            {account && (
              <>
                <dt>{words.settings.limits.key}</dt>
                <dd>
                  {words.settings.limits.rate(formatNumber(account.requests_per_second), formatNumber(account.burst))}
                </dd>
              </>
            )}
            <dt>{words.settings.limits.session}</dt>
            <dd>
              {limit === null
                ? words.settings.limits.unknown
                : words.settings.limits.rate(formatNumber(limit.perSecond), formatNumber(limit.burst))}
            </dd>
          </dl>
        )}
      </Panel>
      <p>
        <a href="/docs">{words.settings.limits.docs}</a>
      </p>
    </section>
  );
}

/** Responses state the limit of their caller, here of this session. A proxy can remove the header. */
async function readSessionLimit(): Promise<{ burst: number; perSecond: number } | null> {
  const result = await v1.GET('/v1/users', { params: { query: { limit: 1 } } });
  await unwrap(Promise.resolve(result));
  const [, burst, seconds] = /q=(\d+);w=([\d.]+)/.exec(result.response.headers.get('RateLimit-Policy') ?? '') ?? [];
  if (burst === undefined || seconds === undefined) return null;
  return { burst: Number(burst), perSecond: Number(burst) / Number(seconds) };
}
