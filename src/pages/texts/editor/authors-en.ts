/** English texts of authors in the editor. */
export const AUTHORS_EN = {
  author: 'Author',
  number: 'User {n}',
  failed: 'The authors cannot be listed.',
};
