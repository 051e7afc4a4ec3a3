// The page on how scores are computed, with interactive examples. It is complete without its
// script.
import { scoreIds } from '../../../shared/catalog/score-ids.ts';
import { buildDocsPage, type DocsPage, toJsonAttribute } from './docs-page.ts';
import { renderConfidence, renderExample } from './render-example.ts';
import { scoreFigures } from './score-figures.ts';
import { scoreStateTexts } from './score-state-text.ts';
import { scoreTexts } from './score-text.ts';

let page: DocsPage | undefined;

export function renderScoresPage(): DocsPage {
  page ??= buildDocsPage({
    path: '/docs/scores',
    html: 'scores.html',
    styles: ['page.css', 'article.css', 'score-signs.css', 'scores.css'],
    scripts: [
      'dom.js',
      'score-curves.js',
      'score-formulas.js',
      'score-signs.js',
      'score-result.js',
      'score-example.js',
    ],
    fill: {
      ...scoreTexts,
      ...Object.fromEntries(scoreIds.map((id) => [`${id}_example`, renderExample(id)])),
      low: renderConfidence('low'),
      medium: renderConfidence('medium'),
      high: renderConfidence('high'),
      figures: toJsonAttribute({ figures: scoreFigures, words: scoreStateTexts }),
    },
  });
  return page;
}
