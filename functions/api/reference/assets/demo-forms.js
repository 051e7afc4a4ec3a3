// How the demo requests accounts of either form, and converts both responses to one shape: users by
// reference, and days in columns.

/**
 * The list of users reveals the form of a key's account. Without parameters, both forms accept the
 * request.
 */
export const formOfUsers = (list) => ('meta' in list ? 1 : 2);

export const demoForms = {
  1: {
    found: (reference) => `v1/users?reference_id=${reference}`,
    user: (answer) => {
      const { reference_id: external_ref, ...user } = answer.data ?? answer;
      return { ...user, external_ref };
    },
    async week(read, { first, today, types }) {
      const range = `start_date=${first}&end_date=${today}`;
      const [{ data: rows }, { data: current }, { data: history }] = await Promise.all([
        read(`daily?metrics=${types}&${range}&include_sources=true`),
        read('scores'),
        read(`scores/history?${range}&include_missing=true`),
      ]);
      const dates = datesFrom(first, today);
      return {
        daily: dailyColumns(rows, types.split(','), dates),
        scores: scoreColumns(current, history, dates),
        history,
      };
    },
  },
  2: {
    found: (reference) => `v1/users?external_ref=${reference}`,
    user: (answer) => answer,
    async week(read, { first, today, types }) {
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

function datesFrom(first, last) {
  const dates = [];
  for (let at = Date.parse(first); at <= Date.parse(last); at += 86_400_000)
    dates.push(new Date(at).toISOString().slice(0, 10));
  return dates;
}

const rangeOf = (dates) => ({ from_date: dates[0], to_date: dates.at(-1), dates });

function dailyColumns(rows, types, dates) {
  const rowOf = new Map(rows.map((row) => [`${row.metric} ${row.date}`, row]));
  const column = (metric, part) => dates.map((date) => rowOf.get(`${metric} ${date}`)?.[part] ?? null);
  const columns = (part) => Object.fromEntries(types.map((metric) => [metric, column(metric, part)]));
  return { ...rangeOf(dates), series: columns('value'), sources: columns('source') };
}

/** Includes the factors of the newest value only, because the page shows no others. */
function scoreColumns(current, history, dates) {
  const latest = {};
  const factors = {};
  for (const id of new Set(history.map(({ type }) => type))) {
    const values = new Map(
      history.filter(({ type, value }) => type === id && value !== null).map((row) => [row.date, row]),
    );
    const at = dates.findLastIndex((date) => values.has(date));
    latest[id] = at < 0 ? null : { ...values.get(dates[at]), previous_value: values.get(dates[at - 1])?.value ?? null };
    const newest = current.find(({ type, date }) => type === id && date === dates[at]);
    factors[id] = dates.map((date) => (date === newest?.date ? newest.factors : null));
  }
  return { ...rangeOf(dates), latest, factors };
}
