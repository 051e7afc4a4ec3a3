// The page on how scores are computed, with interactive examples. It is complete without its
// script.
import { scoreIds } from '../../../shared/catalog/score-ids.ts';
import type { DocsPage } from '../docs-kit/docs-page.ts';
import { script } from './browser/score-example.ts?browser';
import { buildGuide } from './build-guide.ts';
import { renderConfidence, renderExample } from './render-example.ts';
import { scoreTexts } from './score-text.ts';

let page: DocsPage | undefined;

export function renderScoresPage(): DocsPage {
  page ??= buildGuide({
    path: '/docs/scores',
    title: 'How Daybook scores are computed',
    html: 'scores.html',
    styles: ['article.css', 'score-icons.css', 'scores.css'],
    script,
    fill: {
      ...scoreTexts,
      ...Object.fromEntries(scoreIds.map((id) => [`${id}_example`, renderExample(id)])),
      low: renderConfidence('low'),
      medium: renderConfidence('medium'),
      high: renderConfidence('high'),
    },
  });
  return page;
}
