// What an endpoint's fields say about it, in words.
import type { Schemas } from '../../api/client.ts';
import { StatusMark, type Tone } from '../../parts/status.tsx';
import { Moment } from '../../parts/time.tsx';
import { words } from '../../words/en.ts';

export type ListedEndpoint = Schemas['ListedWebhook'];

type EndpointState = 'active' | 'paused' | 'failing' | 'disabled';

const tones: Readonly<Record<EndpointState, Tone>> = {
  active: 'good',
  paused: 'idle',
  failing: 'waiting',
  disabled: 'bad',
};

const stateOf = ({ status, failing_since }: ListedEndpoint): EndpointState =>
  status === 'active' && failing_since !== null ? 'failing' : status;

export function EndpointStatus({ endpoint }: { endpoint: ListedEndpoint }) {
  const state = stateOf(endpoint);
  return (
    <StatusMark tone={tones[state]}>
      {words.webhooks.status[state]}
      {state === 'failing' && endpoint.failing_since !== null && (
        <>
          {' '}
          <Moment at={endpoint.failing_since} />
        </>
      )}
    </StatusMark>
  );
}

export const describeState = (endpoint: ListedEndpoint): string =>
  words.webhooks.statusNote[endpoint.disabled_reason === 'gone' ? 'gone' : stateOf(endpoint)];

export const describeEvents = ({ events }: Pick<ListedEndpoint, 'events'>): string =>
  events.includes('*') ? words.webhooks.allEvents : words.webhooks.eventCount(events.length);
