// What arrived, in numbers: when, from which device, and what was rejected and why. Never the data.
import { environment } from '../../address/address.ts';
import { v1 } from '../../api/client.ts';
import { unwrap } from '../../api/failures.ts';
import { Panel } from '../../parts/panel.tsx';
import { DataTable } from '../../parts/table.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { formatNumber, nameOfDevice, nameOfId } from '../../state/format.ts';
import { useResource } from '../../state/resource.ts';
import { words } from '../../words/en.ts';
import type { PersonContext } from './person-state.ts';

export function UploadsTab({ context: { person, devices } }: { context: PersonContext }) {
  const uploads = useResource(
    `uploads ${environment.value} ${person.id}`,
    () => unwrap(v1.GET('/v1/users/{id}/uploads', { params: { path: { id: person.id }, query: { limit: 50 } } })),
    { isLive: true },
  );
  const deviceName = (id: string | null): string => {
    const device = devices.find((each) => each.id === id);
    return device ? nameOfDevice(device) : (id ?? words.none);
  };
  return (
    <Panel of={uploads} minHeight="20rem" isEmpty={({ data }) => data.length === 0} empty={words.person.uploads.empty}>
      {({ data }) => (
        <DataTable
          caption={words.person.tabs.uploads}
          rows={data}
          keyOf={({ batch_id }) => batch_id}
          columns={[
            {
              id: 'when',
              name: words.person.uploads.when,
              cell: ({ received_at }) => <RelativeTime at={received_at} />,
            },
            { id: 'device', name: words.person.uploads.device, cell: ({ device_id }) => deviceName(device_id) },
            { id: 'kind', name: words.person.uploads.kind, cell: ({ kind }) => nameOfId(kind) },
            {
              id: 'records',
              name: words.person.uploads.records,
              isNumber: true,
              cell: ({ records }) => formatNumber(records),
            },
            {
              id: 'rejected',
              name: words.person.uploads.rejected,
              isNumber: true,
              cell: ({ rejected }) => formatNumber(rejected),
            },
            {
              id: 'why',
              name: words.person.uploads.why,
              cell: ({ rejections }) =>
                rejections.length === 0 ? words.none : rejections.map((each) => describeRejection(each)).join(', '),
            },
          ]}
        />
      )}
    </Panel>
  );
}

const describeRejection = ({ code, metric, count }: { code: string; metric: string | null; count: number }): string =>
  [formatNumber(count), metric, nameOfId(code)].filter((part) => part !== null).join(' ');
