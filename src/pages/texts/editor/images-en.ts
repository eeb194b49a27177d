/** English texts of images in the editor. */
export const IMAGES_EN = {
  label: 'Or a new one: choose a file, or drop it here',
  sending: 'Uploading {name} …',
  done: '{name} was uploaded. It is used once you save.',
  failed: '{name} was not uploaded.',
  notImage: '{name} is no JPEG, PNG, GIF, WebP or AVIF.',
  uploaded: 'Or one that was uploaded',
};
