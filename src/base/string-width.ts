/** Replaces the package `string-width`, which creates an Intl.Segmenter when it is loaded. */
export { displayWidth as default } from './display-width.js';
