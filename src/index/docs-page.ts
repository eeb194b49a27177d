/** Files of the Swagger UI package that the page needs; no other is served. */
export const DOCS_FILES: ReadonlySet<string> = new Set([
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'favicon-32x32.png',
]);

// `SwaggerModule.setup` writes styles into the page, reads the document's address from the query and serves the whole package.
/** The page of `/docs`; `folder` leads from its address to `/docs/`, so that it works below any prefix. */
export function docsPage(folder: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Calendar REST interface</title>
<link rel="stylesheet" href="${folder}swagger-ui.css">
<link rel="icon" type="image/png" href="${folder}favicon-32x32.png">
</head>
<body>
<div id="swagger-ui"></div>
<script src="${folder}swagger-ui-bundle.js"></script>
<script src="${folder}start.js"></script>
</body>
</html>
`;
}

/** The page's own script; a file, because the policy allows no script inside the page. */
export const DOCS_SCRIPT = `SwaggerUIBundle({
  dom_id: '#swagger-ui',
  url: new URL('../openapi.json', document.currentScript.src).href,
  deepLinking: true,
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
});
`;

/** Everything comes from this server; requests may also go to the public address of the interface. */
export function docsPolicy(restBaseUrl: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self' ${new URL(restBaseUrl).origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
