// The page that tells how scores are made, with examples that can be changed; without its script it is complete.
import { scoreIds } from '../../../shared/catalog/score-ids.ts';
import { asAttribute, type DocsPage, makePage } from './document.ts';
import { confidenceHtml, exampleHtml } from './score-example-html.ts';
import { scoreFigures } from './score-figures.ts';
import { scoreStateWords } from './score-state-words.ts';
import { scoreWords } from './score-words.ts';

let page: DocsPage | undefined;

export function scoresPage(): DocsPage {
  page ??= makePage({
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
      ...scoreWords,
      ...Object.fromEntries(scoreIds.map((id) => [`${id}_example`, exampleHtml(id)])),
      low: confidenceHtml('low'),
      medium: confidenceHtml('medium'),
      high: confidenceHtml('high'),
      figures: asAttribute({ figures: scoreFigures, words: scoreStateWords }),
    },
  });
  return page;
}
