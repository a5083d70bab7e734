-- Roles and privileges of one schema. Idempotent; run by the superuser inside the service's database, as
--   psql -v schema=… -v migrator_password=… -v app_password=… -v app_b_password=… -v connection_limit=… -f roles.sql
-- or by prepareDatabase in packages/servers, which fills in the same variables.
--
-- <schema>_owner owns the objects and cannot log in; <schema>_migrator becomes the owner to run migrations;
-- <schema>_app reads and writes rows of its own schema and nothing else. <schema>_app_b has the same rights and may log in only
-- while it has a password: a service moves from one to the other when its password changes (docs/adr/0042).
BEGIN;
-- A failing statement would otherwise put the passwords into the server's log.
SET LOCAL log_min_error_statement = panic;
SET LOCAL log_statement = none;
SELECT set_config('setup.schema', :'schema', true),
       set_config('setup.migrator_password', :'migrator_password', true),
       set_config('setup.app_password', :'app_password', true),
       set_config('setup.app_b_password', :'app_b_password', true),
       set_config('setup.connection_limit', :'connection_limit', true);

DO $$
DECLARE
  name       text := current_setting('setup.schema');
  owner      text := name || '_owner';
  migrator   text := name || '_migrator';
  app        text := name || '_app';
  app_b      text := app || '_b';
  logins     text[] := ARRAY[migrator, app];
  connection text := current_setting('setup.connection_limit');
  login      text;
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = owner) THEN
    EXECUTE format('CREATE ROLE %I NOLOGIN', owner);
  END IF;
  FOREACH login IN ARRAY ARRAY[migrator, app] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = login) THEN
      EXECUTE format('CREATE ROLE %I', login);
    END IF;
  END LOOP;
  EXECUTE format('ALTER ROLE %I LOGIN NOINHERIT CONNECTION LIMIT %s PASSWORD %L',
                 migrator, connection, current_setting('setup.migrator_password'));
  EXECUTE format('ALTER ROLE %I LOGIN NOINHERIT CONNECTION LIMIT %s PASSWORD %L',
                 app, connection, current_setting('setup.app_password'));
  EXECUTE format('GRANT %I TO %I', owner, migrator);

  IF current_setting('setup.app_b_password') <> '' THEN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = app_b) THEN
      EXECUTE format('CREATE ROLE %I', app_b);
    END IF;
    EXECUTE format('ALTER ROLE %I LOGIN INHERIT CONNECTION LIMIT %s PASSWORD %L',
                   app_b, connection, current_setting('setup.app_b_password'));
    EXECUTE format('GRANT %I TO %I WITH INHERIT TRUE', app, app_b);
    EXECUTE format('ALTER ROLE %I SET statement_timeout = %L', app_b, '20s');
    logins := logins || app_b;
  ELSIF EXISTS (SELECT FROM pg_roles WHERE rolname = app_b) THEN
    EXECUTE format('ALTER ROLE %I NOLOGIN PASSWORD NULL', app_b);
  END IF;

  FOREACH login IN ARRAY logins LOOP
    EXECUTE format('ALTER ROLE %I SET search_path = %I', login, name);
    EXECUTE format('ALTER ROLE %I SET lock_timeout = %L', login, '5s');
    EXECUTE format('ALTER ROLE %I SET idle_in_transaction_session_timeout = %L', login, '30s');
    EXECUTE format('GRANT CONNECT ON DATABASE %I TO %I', current_database(), login);
  END LOOP;
  EXECUTE format('ALTER ROLE %I SET statement_timeout = %L', app, '20s');

  EXECUTE format('CREATE SCHEMA IF NOT EXISTS %I AUTHORIZATION %I', name, owner);
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO %I', name, app);
  EXECUTE format('ALTER DEFAULT PRIVILEGES FOR ROLE %I IN SCHEMA %I GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO %I', owner, name, app);
  EXECUTE format('ALTER DEFAULT PRIVILEGES FOR ROLE %I IN SCHEMA %I GRANT USAGE, SELECT ON SEQUENCES TO %I', owner, name, app);
  EXECUTE format('ALTER DEFAULT PRIVILEGES FOR ROLE %I REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC', owner);
  EXECUTE format('ALTER DEFAULT PRIVILEGES FOR ROLE %I IN SCHEMA %I GRANT EXECUTE ON FUNCTIONS TO %I', owner, name, app);

  -- Deny by default: nobody creates in public, and the maintenance databases are closed to the services.
  EXECUTE 'REVOKE ALL ON SCHEMA public FROM PUBLIC';
  EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
  EXECUTE 'REVOKE CONNECT ON DATABASE postgres, template1 FROM PUBLIC';
  -- Large objects belong to no schema: a role that may make them can fill the disk past every privilege above.
  FOR login IN SELECT oid::regprocedure FROM pg_proc
    WHERE pronamespace = 'pg_catalog'::regnamespace AND proname ~ '^(lo_|lo(read|write)$)'
  LOOP
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', login);
  END LOOP;
END
$$;
COMMIT;
