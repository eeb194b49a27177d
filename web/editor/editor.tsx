import { render } from 'preact';
import { App } from './app.js';
import { readSettings } from './settings.js';

const place = document.getElementById('editor');
if (place) {
  place.textContent = '';
  render(<App settings={readSettings(place)} />, place);
}
