/** Takes the place of the package `string-width`, which builds an Intl.Segmenter when it is loaded. */
export { displayWidth as default } from './display-width.js';
