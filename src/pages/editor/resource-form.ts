/** What the editor's forms need to know of a resource that a plugin declares or adds fields to. */
export interface ResourceForm {
  path: string;
  singular: string;
  plural: string;
  isTerm: boolean;
  /** The plural in the capabilities of posts, such as `tribe_events`. */
  capabilities?: string;
  /** Whether the editor has a menu entry for its records: this user may edit some. */
  isEditable: boolean;
  /** Parameters of writes and of lists; a form leaves out what the resource does not have. */
  accepts: readonly string[];
  filters: readonly string[];
  fields: readonly FormField[];
}

/** A declared value; one of a reference names the path of a resource in `to`. */
export interface FormValue {
  type: 'string' | 'integer' | 'number' | 'boolean' | 'date' | 'enum' | 'reference' | 'object' | 'list';
  title?: string;
  description?: string;
  values?: readonly string[];
  zone?: string;
  to?: string;
  items?: FormValue;
  properties?: Readonly<Record<string, FormMember>>;
  maxItems?: number;
}

/** A member of an object. */
export interface FormMember extends FormValue {
  required?: boolean;
}

/** A field that the user may see and write. */
export interface FormField extends FormMember {
  name: string;
  default?: string | number | boolean;
}
