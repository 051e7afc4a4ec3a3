// The name of a metric as the console writes it: in sentence case, as every other label.

/** Abbreviations such as REM, RMSSD and VO₂ keep their letters. */
const isAbbreviation = (word: string): boolean => word.length === 1 || /\p{Lu}.*\p{Lu}|\d|[₀-₉]/u.test(word);

export const toSentenceCase = (name: string): string =>
  name
    .split(' ')
    .map((word, at) => (at === 0 || isAbbreviation(word) ? word : word.toLowerCase()))
    .join(' ');

export const nameOfMetric = ({ display_name }: { display_name: string }): string => toSentenceCase(display_name);
