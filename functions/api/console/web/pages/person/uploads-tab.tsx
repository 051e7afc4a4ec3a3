// What arrived, in numbers: when, from which device, and what was rejected and why. Never the data.
import { address, environment } from '../../address/address.ts';
import { type Schemas, v1 } from '../../api/client.ts';
import { unwrap } from '../../api/failures.ts';
import { PagedTable } from '../../parts/paged-table.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { formatNumber, nameOfDevice, nameOfId } from '../../state/format.ts';
import type { ListPage } from '../../state/paged-list.ts';
import { usePagedList } from '../../state/use-paged-list.ts';
import { words } from '../../words/en.ts';
import type { PersonContext } from './person-state.ts';

/** The first one is the default. */
const selections = ['all', 'rejected'] as const;

type Upload = Schemas['UploadSummary'] & { id: string };

export function UploadsTab({ context: { person, devices } }: { context: PersonContext }) {
  const selection = selections.find((each) => each === address.value.query['show']) ?? 'all';
  const rejected = selection === 'rejected';
  const uploads = usePagedList(
    `uploads ${environment.value} ${person.id} ${selection}`,
    async (cursor): Promise<ListPage<Upload>> => {
      const query = { limit: 50, rejected, ...(cursor === undefined ? {} : { cursor }) };
      const page = await unwrap(v1.GET('/v1/users/{id}/uploads', { params: { path: { id: person.id }, query } }));
      return { ...page, data: page.data.map((each) => ({ ...each, id: `${each.received_at} ${each.batch_id}` })) };
    },
    { isLive: true },
  );
  const texts = words.person.uploads;
  const deviceName = (id: string | null): string => {
    const device = devices.find((each) => each.id === id);
    return device ? nameOfDevice(device) : (id ?? words.none);
  };
  return (
    <>
      <Tabs
        isSmall
        label={texts.show}
        name="show"
        current={selection}
        choices={selections.map((id) => ({ id, name: texts.selections[id] }))}
      />
      <PagedTable
        of={uploads}
        caption={words.person.tabs.uploads}
        empty={texts.empty[selection]}
        columns={[
          { id: 'when', name: texts.when, cell: ({ received_at }) => <RelativeTime at={received_at} /> },
          { id: 'device', name: texts.device, cell: ({ device_id }) => deviceName(device_id) },
          { id: 'kind', name: texts.kind, cell: ({ kind }) => nameOfId(kind) },
          { id: 'records', name: texts.records, isNumber: true, cell: ({ records }) => formatCount(records) },
          { id: 'rejected', name: texts.rejected, isNumber: true, cell: (each) => formatCount(each.rejected) },
          { id: 'why', name: texts.why, cell: (each) => <Reasons of={each} /> },
        ]}
      />
    </>
  );
}

const formatCount = (count: number | null): string => (count === null ? words.none : formatNumber(count));

/** The sentences of the API. */
function Reasons({ of: { failure, rejections } }: { of: Upload }) {
  if (failure) return <p>{words.person.uploads.failed(failure.message)}</p>;
  if (rejections.length === 0) return words.none;
  return (
    <ul>
      {rejections.map(({ metric, message, count }) => (
        <li key={`${metric} ${message}`}>
          {formatNumber(count)} × {message}
        </li>
      ))}
    </ul>
  );
}
