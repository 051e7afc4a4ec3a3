// The words of charts.

export const chartWords = {
  chart: {
    table: 'Table',
    request: 'Copy request',
    copied: 'The request is copied, with $DAYBOOK_KEY for your key.',
    keys: (name: string) =>
      `${name} by day. Arrow keys move from day to day, Enter explains the day, t shows the table, c copies the request.`,
    noDayChosen: 'No day chosen',
    reading: (day: string, value: string) => `${day}: ${value}`,
    missing: 'no value',
    day: 'Day',
    source: 'Measured by',
    tableOf: (name: string) => `${name} by day`,
    hourKeys: (name: string) => `${name} by hour. Arrow keys move from hour to hour, t shows the table.`,
    noHourChosen: 'No hour chosen',
    unknownHour: 'not known',
    named: (name: string, value: string) => `${name} ${value}`,
    hour: 'Hour',
    hourSoFar: (hour: string) => `${hour}, so far`,
    hourTableOf: (name: string) => `${name} by hour`,
    gap: 'gap: no device measured',
    noDeviceMeasured: 'No device measured in this range',
    daysFrom: (days: number, device: string) => `${days} ${days === 1 ? 'day' : 'days'} from ${device}`,
    stages: {
      awake: 'Awake',
      out_of_bed: 'Out of bed',
      rem: 'REM',
      light: 'Light',
      deep: 'Deep',
      asleep: 'Asleep',
      unknown: 'Unknown',
    },
    hypnogram: (summary: string) => `Stages of the night: ${summary}`,
    bpm: (rate: string) => `${rate} bpm`,
    traceOf: (name: string, average: number, highest: number) =>
      `Heart rate during ${name}: ${average} bpm on average, ${highest} bpm at most`,
  },
};
