const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text for HTML and XML, without the characters XML forbids. */
export const escapeMarkup = (text: string): string =>
  text
    .replace(/[&<>"']/g, (character) => ENTITIES[character]!)
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '�')

/** Text for one cell of a Markdown table. */
export const escapeCell = (text: string): string => text.replaceAll('|', '\\|').replace(/\s+/g, ' ').trim()
