import { type Html, html, jsonScript, pageStart } from '../../../lib/html.js';
import type { PageHead, PublicPage } from './page-views.js';

/** The frame of every public page. */
export function layout(page: PublicPage, head: PageHead, content: Html): Html {
  const { language, siteName, api, here, home, publicTexts } = page;
  const title = [head.title, siteName].filter(Boolean).join(' – ');
  const name = siteName || publicTexts.calendar;
  return html`${pageStart(title, html`lang="${language.lang}" dir="${language.direction}"`)}
<meta name="description" content="${head.description}">
${head.canonical !== undefined && html`<link rel="canonical" href="${head.canonical}">\n<meta property="og:url" content="${head.canonical}">`}
${(head.isUnlisted || !page.isIndexed) && html`<meta name="robots" content="noindex">`}
<meta property="og:title" content="${head.title}">
<meta property="og:description" content="${head.description}">
<meta property="og:type" content="website">
<meta property="og:locale" content="${language.lang.replace('-', '_')}">
${siteName && html`<meta property="og:site_name" content="${siteName}">`}
${head.image !== undefined && html`<meta property="og:image" content="${head.image}">`}
<meta name="twitter:card" content="${head.image === undefined ? 'summary' : 'summary_large_image'}">
<link rel="icon" href="${page.root}favicon.svg" type="image/svg+xml">
${head.calendarFile !== undefined && html`<link rel="alternate" type="text/calendar" href="${head.calendarFile}">`}
<link rel="alternate" type="application/rss+xml" title="${name}" href="${api}/events.rss">
<link rel="alternate" type="application/atom+xml" title="${name}" href="${api}/events.atom">
<link rel="alternate" type="application/feed+json" title="${name}" href="${api}/events.feed.json">
${page.stylesheets.map(
  (url) => html`<link rel="stylesheet" href="${url}">
`,
)}
${head.schema !== undefined && jsonScript('application/ld+json', head.schema)}
</head>
<body class="public">
<header><p><a href="${home ?? here}">${name}</a></p><nav><a href="${here}">${publicTexts.calendar}</a></nav></header>
<main>
${content}
</main>
</body>
</html>
`;
}
