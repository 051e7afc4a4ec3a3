// The attempts of a delivery: when, how long, and what the receiver responded.
import type { Schemas } from '../../api/client.ts';
import { TextBlock } from '../../parts/copy.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { formatNumber } from '../../state/format.ts';
import { hasRole, valueRoles } from '../../state/session.ts';
import { words } from '../../words/en.ts';

type Attempt = Schemas['WebhookAttempt'];

/** A status is a name, not an amount, so it has no separators. */
export function describeOutcome({ response_status, error }: Attempt): string {
  const parts = [
    ...(response_status === null ? [] : [words.deliveries.responded(String(response_status))]),
    ...(error === null ? [] : [words.deliveries.error[error]]),
  ];
  return parts.join(', ');
}

export function AttemptResponse({ attempt }: { attempt: Attempt }) {
  if (attempt.response_status === null) return null;
  if (attempt.response_body) return <TextBlock text={attempt.response_body} />;
  return <p class="muted">{hasRole(valueRoles) ? words.deliveries.noBody : words.deliveries.leftOut}</p>;
}

export const Attempts = ({ attempts }: { attempts: readonly Attempt[] }) => (
  <>
    <h3>{words.deliveries.attempts}</h3>
    {attempts.length === 0 && <p class="muted">{words.deliveries.noAttempts}</p>}
    <ol class="attempts" reversed>
      {attempts
        .map((attempt, at) => (
          <li key={attempt.at}>
            <p>
              <strong>{words.deliveries.attempt(at + 1)}</strong> · {describeOutcome(attempt)} ·{' '}
              <span class="muted">
                {words.deliveries.took(formatNumber(attempt.duration_ms))} · <RelativeTime at={attempt.at} />
              </span>
            </p>
            <AttemptResponse attempt={attempt} />
          </li>
        ))
        .reverse()}
    </ol>
  </>
);
