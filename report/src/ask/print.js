// SPDX-License-Identifier: Apache-2.0
// On paper: the picture as an image, since canvases of WebGL print empty. The style sheet leaves one page of what counts.
import { element } from '../format.js';
import { snapshot } from './download.js';

export function preparePrint({ view }) {
  let image = null;
  if (!view) return;
  addEventListener('beforeprint', () => {
    image?.remove();
    image = element('img', { class: 'printed', alt: 'The mechanism at the time shown', src: snapshot(view, document.getElementById('clock').textContent).toDataURL('image/png') });
    document.querySelector('.stage').append(image);
  });
  addEventListener('afterprint', () => image?.remove());
}
