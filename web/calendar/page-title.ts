const site = document.querySelector<HTMLMetaElement>('meta[property="og:site_name"]')?.content;

/** Names the page, its tab and its entries of the history by what it shows. */
export function namePage(heading: string): void {
  if (heading) document.title = [heading, site].filter(Boolean).join(' – ');
}
