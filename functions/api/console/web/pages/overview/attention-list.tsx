// What a colleague should look at, the most urgent first, each with the page that repairs it.
import type { ComponentChildren } from 'preact';
import type { ConsoleSchemas } from '../../api/client.ts';
import { Link } from '../../parts/link.tsx';
import { StatusMark, type Tone } from '../../parts/status.tsx';
import { Moment, RelativeTime } from '../../parts/time.tsx';
import { formatList, nameOfProvider } from '../../state/format.ts';
import { now } from '../../state/now.ts';
import { words } from '../../words/en.ts';

type Item = ConsoleSchemas['AttentionItem'];

export function AttentionList({ items }: { items: readonly Item[] }) {
  const providers = items.flatMap((item) => (item.kind === 'provider_unconfigured' ? [item.provider] : []));
  return (
    <section aria-labelledby="attention-title" class="overview-part">
      <h2 id="attention-title">{words.overview.attention}</h2>
      {items.length === 0 && (
        <p>
          <StatusMark tone="good">{words.overview.calm}</StatusMark>
        </p>
      )}
      <ul class="attention">
        {items.map((item) => (
          <UrgentItem key={JSON.stringify(item)} item={item} />
        ))}
        {/* Providers that nobody set up are one thing to do, not ten alarms. */}
        {providers.length > 0 && (
          <Line tone="idle" action={<a href="/docs/providers">{words.overview.providersAction}</a>}>
            {words.overview.providers(providers.length)} {formatList(providers.map(nameOfProvider))}.{' '}
            <span class="muted">{words.overview.providersNote}</span>
          </Line>
        )}
      </ul>
    </section>
  );
}

function UrgentItem({ item }: { item: Item }) {
  if (item.kind === 'webhook_failing')
    return (
      <Line
        tone={item.disabled ? 'bad' : 'waiting'}
        action={<Link to={`/webhooks/${encodeURIComponent(item.webhook_id)}`}>{words.overview.webhookAction}</Link>}
      >
        {item.disabled ? words.overview.webhookDisabled : words.overview.webhookFailing} <Moment at={item.since} />.
      </Line>
    );
  if (item.kind === 'uploads_quarantined')
    return (
      <Line
        tone="bad"
        action={<Link to={`/people/${encodeURIComponent(item.user_id)}`}>{words.overview.quarantinedAction}</Link>}
      >
        {words.overview.quarantined(item.uploads, item.has_more)} <RelativeTime at={item.since} />.{' '}
        <span class="muted">{words.overview.quarantinedNote}</span>
      </Line>
    );
  if (item.kind === 'connections_failing')
    return (
      <Line tone="waiting" action={<Link to="/providers">{words.overview.connectionsAction}</Link>}>
        {words.overview.connections(
          words.overview.countPeople(item.people),
          nameOfProvider(item.provider),
          item.has_more,
        )}{' '}
        <RelativeTime at={item.since} />. <span class="muted">{words.overview.connectionsNote}</span>
      </Line>
    );
  if (item.kind !== 'key_ending') return null;
  const hasEnded = Date.parse(item.ends_at) <= now.value;
  return (
    <Line tone={hasEnded ? 'bad' : 'waiting'} action={<Link to="/settings">{words.overview.keyAction}</Link>}>
      {hasEnded ? words.overview.keyEnded : words.overview.keyEnding} <RelativeTime at={item.ends_at} />.
    </Line>
  );
}

interface LineProps {
  tone: Tone;
  action: ComponentChildren;
  children: ComponentChildren;
}

const Line = ({ tone, action, children }: LineProps) => (
  <li>
    <StatusMark tone={tone}>
      <span>{children}</span>
    </StatusMark>{' '}
    {action}
  </li>
);
