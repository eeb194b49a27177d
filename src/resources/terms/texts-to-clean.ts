import type { TextToClean } from '../../wordpress/rendering/cleaning.service.js';
import type { WriteTermDto } from './term.dto.js';

/** The texts of the input of a term, which are cleaned before the write lock. */
export function textsToClean({ name, description }: WriteTermDto): TextToClean[] {
  return [
    ['termName', name],
    ['termDescription', description],
  ];
}
