// The words of a person's consolidation settings.

export const consolidationWords = {
  consolidation: {
    intro:
      'Several providers can measure the same thing. These settings say which of them count for each metric, and how their values become one.',
    readOnly: 'Your role can read these settings. An owner or a developer can change them.',
    overview: {
      caption: 'The settings of every metric',
      metric: 'Metric',
      method: 'Method',
      providers: 'Providers',
      changed: 'not the default',
      unsaved: 'not saved',
      defaultIs: (method: string) => `default: ${method}`,
      changeCategory: (category: string) => `Change all of ${lowerFirst(category)}`,
    },
    providers: {
      label: 'Providers for all metrics',
      none: 'No provider is connected.',
      noneCounts: 'none',
      states: {
        on: 'counts',
        off: 'off for this metric',
        off_for_all: 'off for all metrics',
        mixed: 'counts for some of these metrics',
      },
    },
    editor: {
      label: 'Change the settings',
      close: 'Close',
      category: (category: string) => `All of ${lowerFirst(category)}`,
      provider: (provider: string) => `${provider} for all metrics`,
      method: 'How values of several devices become one',
      switches: 'Providers that count',
      switchForAll: (provider: string) => `${provider} counts`,
      switchForAllNote:
        "A provider that is off here counts for no metric, even if the metric's own setting includes it.",
      exceptions: (metrics: readonly string[]) => `Off by their own setting: ${metrics.map(lowerFirst).join(', ')}.`,
      defaults: 'the default of each metric',
      mixed: 'different methods',
      forSome: (method: string, possible: number, of: number) => `${method} (${possible} of ${of} metrics)`,
      keep: (metrics: readonly string[]) =>
        `${metrics.length === 1 ? 'This metric keeps its' : 'These metrics keep their'} own method, because this one is not possible there: ${metrics.map(lowerFirst).join(', ')}.`,
    },
    draft: {
      heading: 'Changes that are not saved',
      preview: 'Preview',
      previewFirst: 'Preview the changes before you save them.',
      noPreview: 'This person shares no data now, so there is no preview.',
      save: 'Save',
      discard: 'Discard',
      saved: 'Saved. The days are being computed again.',
      unchanged: 'These are the current settings.',
    },
    restore: {
      button: 'Restore defaults…',
      title: 'Restore the defaults?',
      discards: 'Your changes that are not saved are discarded.',
      action: 'Restore defaults',
      condition: 'With the defaults',
      done: 'The defaults are restored. The days are being computed again.',
      unchanged: 'The defaults are set already.',
    },
    /** Changes as parts of a sentence. */
    changes: {
      becomes: (metrics: readonly string[], isPlural: boolean, method: string) =>
        `${metrics.join(', ')} ${isPlural ? 'become' : 'becomes'} ${method}`,
      countsFor: (provider: string, isOn: boolean, metrics: readonly string[]) =>
        `${provider} ${isOn ? 'counts' : 'no longer counts'} for ${metrics.join(', ')}`,
      ownSetting: (provider: string, isOn: boolean, metrics: readonly string[], isPlural: boolean) =>
        `${provider} is ${isOn ? 'no longer' : 'also'} off for ${metrics.join(', ')} by ${isPlural ? 'their own settings' : 'its own setting'}`,
      countsForAll: (provider: string, isOn: boolean) =>
        isOn ? `${provider} counts again` : `${provider} no longer counts for any metric`,
      metric: (name: string) => lowerFirst(name),
      category: (category: string) => `the metrics of ${lowerFirst(category)}`,
    },
    preview: {
      /** The beginning of a sentence that says what the changes would do. */
      condition: (changes: readonly string[]) => (changes.length === 1 ? `If ${changes[0]}` : 'With these changes'),
      noChange: (condition: string, days: number) => `${condition}, none of the last ${days} days changes.`,
      days: (condition: string, days: number, of: number) =>
        `${condition}, ${days} of the last ${of} days ${days === 1 ? 'changes' : 'change'} for this person.`,
      metrics: 'What would change, metric by metric',
      metric: 'Metric',
      daysChanged: 'Days',
      mean: 'On average',
      largest: 'At most',
      largestOn: (change: string, day: string) => `${change} on ${day}`,
      daysOf: (days: number, of: number) => `${days} of ${of}`,
      lost: (days: number) => `would have no value on ${days === 1 ? '1 day' : `${days} days`}`,
      gained: (days: number) => `would have a value on ${days === 1 ? '1 more day' : `${days} more days`}`,
      change: ({ condition, metric, days, of, mean, largest, notes }: PreviewedChangeText) =>
        `${condition}, ${lowerFirst(metric)} changes on ${days} of ${of} days for this person` +
        (mean === undefined ? '' : `: by ${mean} on average`) +
        (largest ? `, at most by ${largest.change} on ${largest.day}.` : '.') +
        notes.map((note) => ` It ${note}.`).join(''),
      dayByDay: 'Day by day',
    },
    rebuild: {
      label: 'Days with their new value',
      days: (done: number, of: number) => `${done} of ${of} days have their new value.`,
      noneOfLast: (days: number) => `None of the last ${days} days changes. Older days are computed again too.`,
      close: 'Close',
      eventFollows: 'The event subject.synced follows when the days are computed.',
    },
    dayChange: (day: string, before: string, after: string) =>
      before === after ? `${day}: ${before}` : `${day}: ${before} now, ${after} afterwards`,
    before: 'Now',
    after: 'Afterwards',
    beforeAfter: (metric: string) => `${metric} now and afterwards`,
  },
};

interface PreviewedChangeText {
  condition: string;
  metric: string;
  days: number;
  of: number;
  mean: string | undefined;
  largest: { change: string; day: string } | undefined;
  /** On which days a value comes or goes. */
  notes: readonly string[];
}

/** Within a sentence. Abbreviations such as REM stay. */
const lowerFirst = (name: string): string =>
  /^\p{Lu}\p{Ll}/u.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name;
