'use strict';
SwaggerUIBundle({url: '/openapi.yaml', dom_id: '#docs', deepLinking: true, validatorUrl: null});
