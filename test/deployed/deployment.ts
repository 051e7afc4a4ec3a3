// The address of the deployment under test, which `npm run test:deployed` passes to its tests.
const setting = (name: string): string => {
  const value = process.env[name];
  if (!value)
    throw new Error(`${name} is missing: these tests need a deployment; run them with npm run test:deployed.`);
  return value;
};

export const deployment = {
  apiUrl: setting('DAYBOOK_API_URL'),
  tableName: setting('DAYBOOK_TABLE'),
  secretId: setting('DAYBOOK_SECRET_ID'),
  mailSender: setting('DAYBOOK_MAIL_SENDER'),
  enforcesIam: setting('DAYBOOK_ENFORCES_IAM') === 'true',
};
