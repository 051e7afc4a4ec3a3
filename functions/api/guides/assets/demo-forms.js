// How the demo requests accounts of either form, and converts both responses to one shape: users by
// reference, and days in columns.

/**
 * The list of users reveals the form of a key's account. Without parameters, both forms accept the
 * request.
 */
export const detectForm = (list) => ('meta' in list ? 1 : 2);

export const demoForms = {
  1: {
    buildSearchPath: (reference) => `v1/users?reference_id=${reference}`,
    toUser: (body) => {
      const { reference_id: external_ref, ...user } = body.data ?? body;
      return { ...user, external_ref };
    },
    async readDays(read, { first, today, types }) {
      const range = `start_date=${first}&end_date=${today}`;
      const [{ data: rows }, { data: current }, { data: history }] = await Promise.all([
        read(`daily?metrics=${types}&${range}&include_sources=true`),
        read('scores'),
        read(`scores/history?${range}&include_missing=true`),
      ]);
      const dates = listDates(first, today);
      return {
        daily: buildDailyColumns(rows, types.split(','), dates),
        scores: buildScoreColumns(current, history, dates),
        history,
      };
    },
  },
  2: {
    buildSearchPath: (reference) => `v1/users?external_ref=${reference}`,
    toUser: (body) => body,
    async readDays(read, { first, today, types }) {
      const range = `from_date=${first}&to_date=${today}`;
      const [daily, scores, { data: history }] = await Promise.all([
        read(`daily?types=${types}&${range}&include_sources=true`),
        read(`scores?${range}&include_factors=true`),
        read(`scores/history?start_date=${first}&end_date=${today}&include_missing=true`),
      ]);
      return { daily, scores, history };
    },
  },
};

function listDates(first, last) {
  const dates = [];
  for (let timeMs = Date.parse(first); timeMs <= Date.parse(last); timeMs += 86_400_000)
    dates.push(new Date(timeMs).toISOString().slice(0, 10));
  return dates;
}

const buildRange = (dates) => ({ from_date: dates[0], to_date: dates.at(-1), dates });

function buildDailyColumns(rows, types, dates) {
  const rowsByKey = new Map(rows.map((row) => [`${row.metric} ${row.date}`, row]));
  const buildColumn = (metric, field) => dates.map((date) => rowsByKey.get(`${metric} ${date}`)?.[field] ?? null);
  const buildColumns = (field) => Object.fromEntries(types.map((metric) => [metric, buildColumn(metric, field)]));
  return { ...buildRange(dates), series: buildColumns('value'), sources: buildColumns('source') };
}

/** Includes the factors of the newest value only, because the page shows no others. */
function buildScoreColumns(current, history, dates) {
  const latest = {};
  const factors = {};
  for (const id of new Set(history.map(({ type }) => type))) {
    const rowsByDate = new Map(
      history.filter(({ type, value }) => type === id && value !== null).map((row) => [row.date, row]),
    );
    const index = dates.findLastIndex((date) => rowsByDate.has(date));
    latest[id] =
      index < 0
        ? null
        : { ...rowsByDate.get(dates[index]), previous_value: rowsByDate.get(dates[index - 1])?.value ?? null };
    const newest = current.find(({ type, date }) => type === id && date === dates[index]);
    factors[id] = dates.map((date) => (date === newest?.date ? newest.factors : null));
  }
  return { ...buildRange(dates), latest, factors };
}
