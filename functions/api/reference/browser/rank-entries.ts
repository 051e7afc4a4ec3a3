// Ranks the entries of the index for what the reader typed.
import { commonWords } from './common-words.ts';
import type { SearchEntry } from './search-entry.ts';

export const maxResults = 24;

/**
 * Every word must occur in the title or the detail, or begin one of the further words; a common
 * word need not, unless the reader typed no other. The best matches of titles come first.
 */
export function rankEntries(entries: readonly SearchEntry[], query: string): SearchEntry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const specific = words.filter((word) => !isCommon(word));
  const required = new Set(specific.length > 0 ? specific : words);
  return entries
    .flatMap((entry) => {
      const score = scoreEntry(entry, words, required);
      return score === undefined ? [] : [{ entry, score }];
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, maxResults)
    .map(({ entry }) => entry);
}

const kindScores: Readonly<Record<SearchEntry[0], number>> = {
  call: 5,
  error: 4,
  event: 3,
  guide: 2,
  parameter: 1,
  field: 0,
};

/** The index has no shorter words either. */
const minWordLength = 3;
const isCommon = (word: string): boolean => word.length < minWordLength || commonWords.has(word);

/** Undefined if a required word is missing. */
function scoreEntry(
  [kind, title, detail, , more = '']: SearchEntry,
  words: readonly string[],
  required: ReadonlySet<string>,
): number | undefined {
  const [lowerTitle, lowerDetail] = [title.toLowerCase(), detail.toLowerCase()];
  let score = kindScores[kind];
  if (lowerTitle === words.join(' ')) score += 100;
  for (const word of words) {
    const at = lowerTitle.indexOf(word);
    if (at === 0) score += 30;
    else if (at > 0) score += isWordStart(lowerTitle, at) ? 20 : 10;
    else if (lowerDetail.includes(word)) score += 5;
    else if (` ${more}`.includes(` ${word}`)) score += 2;
    else if (required.has(word)) return undefined;
  }
  return score;
}

const isWordStart = (text: string, at: number): boolean => /[^a-z0-9]/.test(text.charAt(at - 1));
