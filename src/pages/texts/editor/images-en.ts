/** English texts of images in the editor. */
export const IMAGES_EN = {
  label: 'A new one: choose a file, or drop it here',
  sending: 'Uploading {name} …',
  done: '{name} was uploaded. It is used once you save.',
  failed: '{name} was not uploaded.',
  notImage: '{name} is no JPEG, PNG, GIF, WebP or AVIF.',
  uploaded: 'One that was uploaded',
  altText: 'Alternative text',
  altHelp:
    'What the picture shows, for people who do not see it. It is saved at once, for all records with this picture.',
  altSaved: 'The alternative text was saved.',
};
