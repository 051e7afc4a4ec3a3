// The page that charts a sandbox user's days, using only the public API.
import { type DocsPage, toJsonAttribute } from '../docs-kit/docs-page.ts';
import { buildGuide } from './build-guide.ts';
import { providerNames } from './provider-text.ts';
import { demoScores, scoreStateTexts } from './score-state-text.ts';
import { toneSteps } from './score-tones.ts';

let page: DocsPage | undefined;

export function renderDemoPage(): DocsPage {
  page ??= buildGuide({
    path: '/docs/demo',
    html: 'demo.html',
    styles: ['page.css', 'article.css', 'form.css', 'code-block.css', 'score-icons.css', 'demo.css', 'demo-scores.css'],
    scripts: [
      'dom.js',
      'token.js',
      'demo-forms.js',
      'demo-api.js',
      'chart.js',
      'score-icons.js',
      'provider-names.js',
      'demo-scores.js',
      'demo-charts.js',
      'demo.js',
    ],
    fill: { texts: toJsonAttribute({ scores: demoScores, stateTexts: scoreStateTexts, toneSteps, providerNames }) },
  });
  return page;
}
