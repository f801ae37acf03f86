// SPDX-License-Identifier: Apache-2.0
// On paper: the picture as an image, since canvases of WebGL print empty. The style sheet leaves one page of what counts.
import { element } from '../format.js';
import { snapshot } from './download.js';

// pixels on the sheet, see style.css; each further run takes a row above
const sizesOf = (runs) => ({ 'ledger-plot': [600, 200], 'history-plot': [1560, Math.max(100, 265 - 55 * runs.length)] });

/** Plots in the size that they have on paper, so that their texts are not stretched; later as they were. */
function resizePlots(runs, paper) {
  for (const [id, [width, height]] of Object.entries(sizesOf(runs))) {
    const { uplot } = document.getElementById(id);
    if (!uplot) continue;
    if (paper) uplot.before ??= { width: uplot.width, height: uplot.height };
    uplot.setSize(paper ? { width, height } : (uplot.before ?? uplot));
    if (!paper) delete uplot.before;
  }
}

export function preparePrint({ view, runs }) {
  let image = null;
  addEventListener('beforeprint', () => resizePlots(runs, true));
  addEventListener('afterprint', () => resizePlots(runs, false));
  if (!view) return;
  addEventListener('beforeprint', () => {
    image?.remove();
    image = element('img', { class: 'printed', alt: 'The mechanism at the time shown', src: snapshot(view, document.getElementById('clock').textContent).toDataURL('image/png') });
    document.querySelector('.stage').append(image);
  });
  addEventListener('afterprint', () => image?.remove());
}
