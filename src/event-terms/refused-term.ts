import { RestError } from '../http/rest-error.js';
import { TermRefused } from '../wordpress/terms/term-refused.js';

const ANSWERS: Record<TermRefused['code'], { message: string; code?: string }> = {
  empty_term_name: { message: 'name must not be empty.' },
  invalid_term_name: { message: 'name must hold some text besides tags.' },
  db_insert_error: { message: 'name may be at most 200 characters long.' },
  term_exists: { message: 'There is a term with this name already.' },
  missing_parent: { message: 'parent is not the id of an existing term.', code: 'rest_term_invalid' },
  duplicate_term_slug: { message: 'slug belongs to another term already.' },
};

/** The result of writing terms; a `TermRefused` becomes a 400 with the recorded code (W15). */
export async function orRefusal<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof TermRefused ? refusal(error) : error;
  }
}

function refusal({ code, termId }: TermRefused): RestError {
  const { message, code: shown = code } = ANSWERS[code];
  if (termId === undefined) return new RestError(shown, 400, message);
  return new RestError(shown, 400, message, { term_id: termId }, { additional_data: [termId, termId] });
}
