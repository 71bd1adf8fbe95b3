SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;
COMMENT ON EXTENSION pg_trgm IS 'text similarity measurement and index searching based on trigrams';
CREATE FUNCTION public.check_auction_bid() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ begin
    if not exists (select from auctions where id = new.auction and status = 'live' and ends_at > new.at and seller is distinct from new.bidder) then
      raise exception 'A bid is for a live auction of somebody else.' using errcode = 'check_violation';
    end if;
    return new;
  end $$;
CREATE FUNCTION public.check_auction_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ begin
    if new.status <> old.status and not exists (select from auction_transitions where from_state = old.status and to_state = new.status) then
      raise exception 'An auction cannot go from % to %.', old.status, new.status using errcode = 'check_violation';
    end if;
    if old.winning_bid is not null and new.winning_bid is distinct from old.winning_bid then
      raise exception 'An auction has one winner.' using errcode = 'check_violation';
    end if;
    return new;
  end $$;
CREATE FUNCTION public.similar_words(asked text) RETURNS SETOF text
    LANGUAGE sql STABLE
    AS $$
        select word from name_words where word % asked order by similarity(word, asked) desc, word limit 20 $$;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE public.access_keys (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    digest text NOT NULL,
    kind text NOT NULL,
    origin text NOT NULL,
    person uuid,
    name text NOT NULL,
    contact text NOT NULL,
    tier text NOT NULL,
    scopes text[] NOT NULL,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    expires_at timestamp with time zone,
    last_used_on date,
    revoked_at timestamp with time zone,
    CONSTRAINT access_keys_kind_check CHECK ((kind = ANY (ARRAY['agent'::text, 'wholesale'::text]))),
    CONSTRAINT access_keys_origin_check CHECK ((origin = ANY (ARRAY['operator-managed'::text, 'self-serve'::text]))),
    CONSTRAINT access_keys_tier_check CHECK ((tier = ANY (ARRAY['free'::text, 'standard'::text, 'partner'::text])))
);
CREATE TABLE public.account_acts (
    id integer NOT NULL,
    at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    actor text NOT NULL,
    act text NOT NULL,
    subject text NOT NULL,
    details jsonb NOT NULL
);
COMMENT ON TABLE public.account_acts IS 'What was done to accounts, by whom: people by their ids, which say nothing once they have left; no secrets';
CREATE SEQUENCE public.account_acts_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.account_acts_id_seq OWNED BY public.account_acts.id;
CREATE TABLE public.artists (
    game text NOT NULL,
    name text NOT NULL,
    name_key text NOT NULL,
    works integer NOT NULL,
    first_works text[] NOT NULL
);
COMMENT ON COLUMN public.artists.name IS 'As the upstream writes it';
COMMENT ON COLUMN public.artists.name_key IS 'Lowercase name: the key of lookups';
COMMENT ON COLUMN public.artists.works IS 'Cards that credit the name';
COMMENT ON COLUMN public.artists.first_works IS 'SKUs of the first of them, in byte order';
CREATE TABLE public.auction_addresses (
    auction uuid NOT NULL,
    person uuid NOT NULL,
    address character varying(1000) NOT NULL,
    given_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);
CREATE TABLE public.auction_bids (
    id bigint NOT NULL,
    auction uuid NOT NULL,
    bidder uuid,
    kind text NOT NULL,
    amount integer NOT NULL,
    state text NOT NULL,
    at timestamp with time zone NOT NULL,
    CONSTRAINT auction_bids_amount_check CHECK (((amount >= 1) AND (amount <= 100000000))),
    CONSTRAINT auction_bids_kind_check CHECK ((kind = ANY (ARRAY['bid'::text, 'buy'::text, 'offer'::text]))),
    CONSTRAINT auction_bids_state_check CHECK ((state = ANY (ARRAY['placed'::text, 'open'::text, 'accepted'::text, 'closed'::text]))),
    CONSTRAINT auction_bids_states CHECK (((kind = 'offer'::text) = (state <> 'placed'::text)))
);
CREATE SEQUENCE public.auction_bids_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.auction_bids_id_seq OWNED BY public.auction_bids.id;
CREATE TABLE public.auction_events (
    id bigint NOT NULL,
    auction uuid NOT NULL,
    from_state text NOT NULL,
    act text NOT NULL,
    to_state text NOT NULL,
    who text NOT NULL,
    at timestamp with time zone NOT NULL,
    CONSTRAINT auction_events_transitions CHECK (((((((((((((((((((((((((from_state = 'draft'::text) AND (act = 'edit'::text) AND (to_state = 'draft'::text)) OR ((from_state = 'draft'::text) AND (act = 'submit'::text) AND (to_state = 'scheduled'::text))) OR ((from_state = 'draft'::text) AND (act = 'cancel'::text) AND (to_state = 'cancelled'::text))) OR ((from_state = 'scheduled'::text) AND (act = 'approve'::text) AND (to_state = 'scheduled'::text))) OR ((from_state = 'scheduled'::text) AND (act = 'refuse'::text) AND (to_state = 'cancelled'::text))) OR ((from_state = 'scheduled'::text) AND (act = 'cancel'::text) AND (to_state = 'cancelled'::text))) OR ((from_state = 'scheduled'::text) AND (act = 'begin'::text) AND (to_state = 'live'::text))) OR ((from_state = 'scheduled'::text) AND (act = 'lapse'::text) AND (to_state = 'cancelled'::text))) OR ((from_state = 'live'::text) AND (act = 'bid'::text) AND (to_state = 'live'::text))) OR ((from_state = 'live'::text) AND (act = 'buy'::text) AND (to_state = 'ended'::text))) OR ((from_state = 'live'::text) AND (act = 'offer'::text) AND (to_state = 'live'::text))) OR ((from_state = 'live'::text) AND (act = 'accept'::text) AND (to_state = 'ended'::text))) OR ((from_state = 'live'::text) AND (act = 'end'::text) AND (to_state = 'ended'::text))) OR ((from_state = 'live'::text) AND (act = 'cancel'::text) AND (to_state = 'cancelled'::text))) OR ((from_state = 'ended'::text) AND (act = 'address'::text) AND (to_state = 'ended'::text))) OR ((from_state = 'ended'::text) AND (act = 'paid'::text) AND (to_state = 'paid'::text))) OR ((from_state = 'ended'::text) AND (act = 'cancel'::text) AND (to_state = 'cancelled'::text))) OR ((from_state = 'paid'::text) AND (act = 'address'::text) AND (to_state = 'paid'::text))) OR ((from_state = 'paid'::text) AND (act = 'shipped'::text) AND (to_state = 'paid'::text))) OR ((from_state = 'paid'::text) AND (act = 'received'::text) AND (to_state = 'paid'::text))) OR ((from_state = 'paid'::text) AND (act = 'review'::text) AND (to_state = 'paid'::text))) OR ((from_state = 'paid'::text) AND (act = 'dispute'::text) AND (to_state = 'paid'::text))) OR ((from_state = 'paid'::text) AND (act = 'decide'::text) AND (to_state = 'paid'::text)))),
    CONSTRAINT auction_events_who_check CHECK ((who = ANY (ARRAY['seller'::text, 'winner'::text, 'bidder'::text, 'admin'::text, 'clock'::text])))
);
CREATE SEQUENCE public.auction_events_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.auction_events_id_seq OWNED BY public.auction_events.id;
CREATE TABLE public.auction_reviews (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    auction uuid NOT NULL,
    author uuid,
    about uuid,
    by text NOT NULL,
    stars integer NOT NULL,
    text character varying(2000) DEFAULT ''::character varying NOT NULL,
    license text NOT NULL,
    reviewer_score integer NOT NULL,
    written_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    removed_at timestamp with time zone,
    removed_reason character varying(1000),
    CONSTRAINT auction_reviews_by_check CHECK ((by = ANY (ARRAY['seller'::text, 'winner'::text]))),
    CONSTRAINT auction_reviews_license_check CHECK ((license = ANY (ARRAY['NOASSERTION'::text, 'CC0-1.0'::text, 'CC-BY-4.0'::text]))),
    CONSTRAINT auction_reviews_reviewer_score_check CHECK (((reviewer_score >= 0) AND (reviewer_score <= 100))),
    CONSTRAINT auction_reviews_stars_check CHECK (((stars >= 1) AND (stars <= 5)))
);
CREATE VIEW public.auction_transitions AS
 SELECT t.from_state,
    t.act,
    t.to_state
   FROM ( VALUES ('draft'::text,'edit'::text,'draft'::text), ('draft'::text,'submit'::text,'scheduled'::text), ('draft'::text,'cancel'::text,'cancelled'::text), ('scheduled'::text,'approve'::text,'scheduled'::text), ('scheduled'::text,'refuse'::text,'cancelled'::text), ('scheduled'::text,'cancel'::text,'cancelled'::text), ('scheduled'::text,'begin'::text,'live'::text), ('scheduled'::text,'lapse'::text,'cancelled'::text), ('live'::text,'bid'::text,'live'::text), ('live'::text,'buy'::text,'ended'::text), ('live'::text,'offer'::text,'live'::text), ('live'::text,'accept'::text,'ended'::text), ('live'::text,'end'::text,'ended'::text), ('live'::text,'cancel'::text,'cancelled'::text), ('ended'::text,'address'::text,'ended'::text), ('ended'::text,'paid'::text,'paid'::text), ('ended'::text,'cancel'::text,'cancelled'::text), ('paid'::text,'address'::text,'paid'::text), ('paid'::text,'shipped'::text,'paid'::text), ('paid'::text,'received'::text,'paid'::text), ('paid'::text,'review'::text,'paid'::text), ('paid'::text,'dispute'::text,'paid'::text), ('paid'::text,'decide'::text,'paid'::text)) t(from_state, act, to_state);
CREATE TABLE public.auctions (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    seller uuid,
    sku text NOT NULL COLLATE pg_catalog."C",
    title character varying(160) NOT NULL,
    description character varying(4000) DEFAULT ''::character varying NOT NULL,
    condition text NOT NULL,
    auction_type text NOT NULL,
    status text DEFAULT 'draft'::text NOT NULL,
    is_consignment boolean DEFAULT false NOT NULL,
    approval text DEFAULT 'not_needed'::text NOT NULL,
    approval_notes character varying(2000),
    license text NOT NULL,
    currency text NOT NULL,
    starting_price integer NOT NULL,
    reserve_price integer,
    bid_increment integer,
    buy_now_price integer,
    dutch_end_price integer,
    dutch_price_drop integer,
    current_price integer,
    winning_price integer,
    dutch_drop_interval_seconds integer,
    allow_best_offer boolean DEFAULT false NOT NULL,
    starts_at timestamp with time zone,
    ends_at timestamp with time zone,
    extensions integer DEFAULT 0 NOT NULL,
    bid_count integer DEFAULT 0 NOT NULL,
    leading_bid bigint,
    winning_bid bigint,
    winner uuid,
    submitted_at timestamp with time zone,
    actual_end_at timestamp with time zone,
    paid_at timestamp with time zone,
    shipped_at timestamp with time zone,
    received_at timestamp with time zone,
    removed_at timestamp with time zone,
    carrier character varying(80),
    tracking_number character varying(80),
    cancel_reason character varying(1000),
    cancelled_by text,
    dispute text,
    dispute_by text,
    dispute_statement character varying(2000),
    dispute_at timestamp with time zone,
    dispute_reason character varying(2000),
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT auctions_approval_check CHECK ((approval = ANY (ARRAY['not_needed'::text, 'pending'::text, 'approved'::text, 'refused'::text]))),
    CONSTRAINT auctions_auction_type_check CHECK ((auction_type = ANY (ARRAY['english'::text, 'dutch'::text, 'buy_now'::text]))),
    CONSTRAINT auctions_bid_increment_check CHECK (((bid_increment >= 1) AND (bid_increment <= 100000000))),
    CONSTRAINT auctions_buy_now CHECK (((auction_type <> 'buy_now'::text) OR (buy_now_price = starting_price))),
    CONSTRAINT auctions_buy_now_price_check CHECK (((buy_now_price >= 1) AND (buy_now_price <= 100000000))),
    CONSTRAINT auctions_cancelled_by_check CHECK ((cancelled_by = ANY (ARRAY['seller'::text, 'admin'::text, 'clock'::text]))),
    CONSTRAINT auctions_condition_check CHECK ((condition = ANY (ARRAY['NM'::text, 'LP'::text, 'MP'::text, 'HP'::text, 'DMG'::text]))),
    CONSTRAINT auctions_currency_check CHECK ((currency = 'GBP'::text)),
    CONSTRAINT auctions_current_price_check CHECK (((current_price >= 1) AND (current_price <= 100000000))),
    CONSTRAINT auctions_dearer CHECK (((buy_now_price IS NULL) OR (buy_now_price >= GREATEST(starting_price, reserve_price)))),
    CONSTRAINT auctions_dispute_by_check CHECK ((dispute_by = ANY (ARRAY['seller'::text, 'winner'::text]))),
    CONSTRAINT auctions_dispute_check CHECK ((dispute = ANY (ARRAY['reported'::text, 'open'::text, 'for_seller'::text, 'for_buyer'::text, 'split'::text, 'dismissed'::text]))),
    CONSTRAINT auctions_dutch CHECK (((auction_type <> 'dutch'::text) OR ((dutch_end_price < starting_price) AND (dutch_price_drop IS NOT NULL) AND (dutch_drop_interval_seconds IS NOT NULL)))),
    CONSTRAINT auctions_dutch_drop_interval_seconds_check CHECK (((dutch_drop_interval_seconds >= 1) AND (dutch_drop_interval_seconds <= 2592000))),
    CONSTRAINT auctions_dutch_end_price_check CHECK (((dutch_end_price >= 1) AND (dutch_end_price <= 100000000))),
    CONSTRAINT auctions_dutch_price_drop_check CHECK (((dutch_price_drop >= 1) AND (dutch_price_drop <= 100000000))),
    CONSTRAINT auctions_ended CHECK (((status = ANY (ARRAY['ended'::text, 'paid'::text])) <= (actual_end_at IS NOT NULL))),
    CONSTRAINT auctions_english CHECK (((auction_type <> 'english'::text) OR (bid_increment IS NOT NULL))),
    CONSTRAINT auctions_extensions_check CHECK (((extensions >= 0) AND (extensions <= 10))),
    CONSTRAINT auctions_license_check CHECK ((license = ANY (ARRAY['NOASSERTION'::text, 'CC0-1.0'::text, 'CC-BY-4.0'::text]))),
    CONSTRAINT auctions_paid CHECK (((status = 'paid'::text) <= ((paid_at IS NOT NULL) AND (winning_bid IS NOT NULL)))),
    CONSTRAINT auctions_parties CHECK ((winner <> seller)),
    CONSTRAINT auctions_reserve CHECK (((reserve_price IS NULL) OR (reserve_price >= starting_price))),
    CONSTRAINT auctions_reserve_price_check CHECK (((reserve_price >= 1) AND (reserve_price <= 100000000))),
    CONSTRAINT auctions_sold CHECK (((winning_bid IS NULL) OR (status = ANY (ARRAY['ended'::text, 'paid'::text, 'cancelled'::text])))),
    CONSTRAINT auctions_started CHECK (((status <> ALL (ARRAY['live'::text, 'ended'::text, 'paid'::text])) OR (approval = ANY (ARRAY['not_needed'::text, 'approved'::text])))),
    CONSTRAINT auctions_starting_price_check CHECK (((starting_price >= 1) AND (starting_price <= 100000000))),
    CONSTRAINT auctions_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'scheduled'::text, 'live'::text, 'ended'::text, 'paid'::text, 'cancelled'::text]))),
    CONSTRAINT auctions_steps CHECK ((((shipped_at IS NULL) OR (paid_at IS NOT NULL)) AND ((received_at IS NULL) OR (shipped_at IS NOT NULL)))),
    CONSTRAINT auctions_times CHECK (((status = 'draft'::text) OR (submitted_at IS NULL) OR ((starts_at IS NOT NULL) AND (ends_at > starts_at)))),
    CONSTRAINT auctions_winner CHECK ((((winner IS NULL) OR (winning_bid IS NOT NULL)) AND ((winning_bid IS NULL) = (winning_price IS NULL)))),
    CONSTRAINT auctions_winning_price_check CHECK (((winning_price >= 1) AND (winning_price <= 100000000)))
);
CREATE TABLE public.card_changes (
    id bigint NOT NULL,
    sku text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL,
    run bigint,
    source text,
    changed_at timestamp with time zone NOT NULL,
    fields text[] NOT NULL,
    former_hash text,
    CONSTRAINT card_changes_kind_check CHECK ((kind = ANY (ARRAY['changed'::text, 'rewritten'::text, 'withdrawn'::text])))
);
COMMENT ON COLUMN public.card_changes.run IS 'The import; null where the service writes the same facts otherwise';
COMMENT ON COLUMN public.card_changes.source IS 'Whose import it was';
COMMENT ON COLUMN public.card_changes.fields IS 'Names of the fields that differ';
COMMENT ON COLUMN public.card_changes.former_hash IS 'The content hash before, where it differs';
CREATE SEQUENCE public.card_changes_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.card_changes_id_seq OWNED BY public.card_changes.id;
CREATE TABLE public.card_names (
    id integer NOT NULL,
    game text NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    skus text[] NOT NULL
);
COMMENT ON COLUMN public.card_names.skus IS 'Printings with the name, in any language of theirs: English ones first, then by SKU';
ALTER TABLE public.card_names ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.card_names_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.cards (
    sku text NOT NULL COLLATE pg_catalog."C",
    set_id integer NOT NULL,
    game text NOT NULL,
    set_code text NOT NULL,
    card_number text NOT NULL,
    lang text NOT NULL,
    variant text DEFAULT ''::text NOT NULL,
    name text,
    name_translations json,
    rarity text,
    illustrators text[],
    attributes json,
    sources text[] NOT NULL,
    content_hash text NOT NULL,
    document text NOT NULL,
    digest text NOT NULL,
    first_seen_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    place_key text NOT NULL COLLATE pg_catalog."C",
    number_key text NOT NULL COLLATE pg_catalog."C",
    printed_key text NOT NULL COLLATE pg_catalog."C"
);
COMMENT ON COLUMN public.cards.card_number IS 'As printed';
COMMENT ON COLUMN public.cards.variant IS 'Empty for the ordinary printing';
COMMENT ON COLUMN public.cards.attributes IS 'Structural attributes: category, colours, cost, power, block';
COMMENT ON COLUMN public.cards.sources IS 'Ids of the sources that observed the card, sorted';
COMMENT ON COLUMN public.cards.document IS 'Canonical text of the universal document, cut where changing parts go; see surfaces/catalogue/card-document.ts';
COMMENT ON COLUMN public.cards.digest IS 'SHA-256 of `document`';
CREATE TABLE public.catalogue_state (
    name text NOT NULL,
    version uuid NOT NULL,
    CONSTRAINT catalogue_state_name_check CHECK ((name = 'catalogue'::text))
);
CREATE TABLE public.content_reports (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    reporter uuid NOT NULL,
    kind text NOT NULL,
    auction uuid,
    review uuid,
    organisation uuid,
    ground text NOT NULL,
    text character varying(1000) NOT NULL,
    reported_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    decision text,
    reason character varying(1000),
    decided_at timestamp with time zone,
    CONSTRAINT content_reports_check CHECK ((((decision IS NULL) = (decided_at IS NULL)) AND ((decision IS NULL) = (reason IS NULL)))),
    CONSTRAINT content_reports_check1 CHECK ((num_nonnulls(auction, review, organisation) <= 1)),
    CONSTRAINT content_reports_decision_check CHECK ((decision = ANY (ARRAY['removed'::text, 'kept'::text]))),
    CONSTRAINT content_reports_ground_check CHECK ((ground = ANY (ARRAY['fraud'::text, 'offensive'::text, 'personal-data'::text, 'rights'::text, 'other'::text]))),
    CONSTRAINT content_reports_kind_check CHECK ((kind = ANY (ARRAY['listing'::text, 'review'::text, 'organisation'::text])))
);
CREATE TABLE public.coverage_patterns (
    game text NOT NULL,
    sightings jsonb NOT NULL,
    cards integer NOT NULL
);
COMMENT ON COLUMN public.coverage_patterns.sightings IS '[source, from_run, until_run] of each sighting, by source and run';
COMMENT ON COLUMN public.coverage_patterns.cards IS 'How many cards of the game have exactly these sightings';
CREATE TABLE public.declared_sets (
    source text NOT NULL,
    game text NOT NULL,
    code text NOT NULL,
    code_key text NOT NULL,
    name text,
    released_on text,
    declared_total integer
);
COMMENT ON COLUMN public.declared_sets.code IS 'As the upstream writes it';
COMMENT ON COLUMN public.declared_sets.code_key IS 'Lowercase code: the key of lookups';
COMMENT ON COLUMN public.declared_sets.released_on IS 'ISO 8601 date, or null';
CREATE TABLE public.disagreements (
    sku text NOT NULL COLLATE pg_catalog."C",
    field text NOT NULL,
    statements jsonb NOT NULL
);
COMMENT ON COLUMN public.disagreements.field IS 'Name of the field; of attributes and names its path, joined by points';
COMMENT ON COLUMN public.disagreements.statements IS 'One {source, value} for each source that states the field, by source';
CREATE TABLE public.draw_rates (
    digest character varying(64) NOT NULL,
    rates json NOT NULL
);
CREATE TABLE public.draws (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    nonce bigint NOT NULL,
    rates_digest character varying(64) NOT NULL,
    commitment character varying(64) NOT NULL,
    server_seed character varying(64) NOT NULL,
    begun_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP(3) NOT NULL,
    client_seed character varying(64),
    result jsonb,
    opened_at timestamp(3) with time zone,
    batch integer,
    leaf_index bigint,
    CONSTRAINT draws_check CHECK ((((client_seed IS NULL) = (result IS NULL)) AND ((result IS NULL) = (opened_at IS NULL)))),
    CONSTRAINT draws_check1 CHECK (((batch IS NULL) = (leaf_index IS NULL)))
);
CREATE SEQUENCE public.draws_nonce_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.draws_nonce_seq OWNED BY public.draws.nonce;
CREATE TABLE public.feedback_reports (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    report jsonb NOT NULL,
    reply_may_be_public boolean NOT NULL,
    received_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    reply character varying(4000),
    replied_at timestamp with time zone,
    CONSTRAINT feedback_reports_check CHECK (((reply IS NULL) = (replied_at IS NULL)))
);
CREATE TABLE public.fraud_signals (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    person uuid NOT NULL,
    severity text NOT NULL,
    reason character varying(2000) NOT NULL,
    set_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    resolved_at timestamp with time zone,
    CONSTRAINT fraud_signals_severity_check CHECK ((severity = ANY (ARRAY['low'::text, 'medium'::text, 'high'::text])))
);
CREATE TABLE public.games (
    token text NOT NULL,
    content_hash text NOT NULL,
    set_count integer NOT NULL,
    card_count integer NOT NULL,
    declared_card_count integer,
    first_seen_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL
);
COMMENT ON COLUMN public.games.declared_card_count IS 'Sum of the totals that sets declare; null when no set declares one';
CREATE TABLE public.hunt_cases (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    candidate_id character varying(27) NOT NULL,
    candidate jsonb NOT NULL,
    opened_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    resolution text,
    reason character varying(2000),
    reviewed_at timestamp with time zone,
    CONSTRAINT hunt_cases_check CHECK ((((resolution IS NULL) = (reviewed_at IS NULL)) AND ((resolution IS NULL) = (reason IS NULL)))),
    CONSTRAINT hunt_cases_resolution_check CHECK ((resolution = ANY (ARRAY['accept_as_gap'::text, 'accept_as_correction_candidate'::text, 'reject'::text, 'duplicate'::text])))
);
CREATE TABLE public.hunt_turns (
    case_id uuid NOT NULL,
    role text NOT NULL,
    agent uuid,
    client_request_id character varying(100) NOT NULL,
    digest text NOT NULL,
    submission jsonb NOT NULL,
    submitted_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT hunt_turns_role_check CHECK ((role = ANY (ARRAY['scout'::text, 'checker'::text, 'mirror'::text])))
);
CREATE TABLE public.idempotency_keys (
    person uuid NOT NULL,
    route text NOT NULL,
    key character varying(200) NOT NULL,
    digest text NOT NULL,
    status integer,
    body json NOT NULL,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);
CREATE TABLE public.invitations (
    digest text NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE public.list_cards (
    person uuid NOT NULL,
    list text NOT NULL,
    sku character varying(160) NOT NULL,
    quantity integer NOT NULL,
    CONSTRAINT list_cards_list_check CHECK ((list = ANY (ARRAY['have'::text, 'want'::text]))),
    CONSTRAINT list_cards_quantity_check CHECK ((quantity > 0))
);
CREATE TABLE public.organisations (
    person uuid NOT NULL,
    slug character varying(80) NOT NULL,
    display_name character varying(120) NOT NULL,
    kind text NOT NULL,
    region character varying(2),
    languages text[] NOT NULL,
    games text[] NOT NULL,
    description character varying(500) NOT NULL,
    website_url character varying(300),
    public_contact_url character varying(300),
    accessibility_notes character varying(500),
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    approved_at timestamp with time zone
);
CREATE TABLE public.people (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    username text NOT NULL COLLATE pg_catalog."C",
    roles text[] DEFAULT '{}'::text[] NOT NULL,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    suspended_at timestamp with time zone
);
CREATE TABLE public.publication_receipts (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    person uuid NOT NULL,
    scope text NOT NULL,
    notice_version text NOT NULL,
    given_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    withdrawn_at timestamp with time zone
);
CREATE VIEW public.listed_organisations AS
 SELECT o.person,
    o.slug,
    o.display_name,
    o.kind,
    o.region,
    o.languages,
    o.games,
    o.description,
    o.website_url,
    o.public_contact_url,
    o.accessibility_notes,
    o.created_at,
    o.updated_at,
    o.approved_at,
    r.given_at AS listed_at,
    r.notice_version
   FROM ((public.organisations o
     JOIN public.people p ON (((p.id = o.person) AND (p.suspended_at IS NULL))))
     JOIN public.publication_receipts r ON (((r.person = o.person) AND (r.scope = 'organisation'::text) AND (r.withdrawn_at IS NULL))))
  WHERE (o.approved_at IS NOT NULL);
CREATE TABLE public.mail_addresses (
    person uuid NOT NULL,
    address character varying(254) NOT NULL,
    confirmed_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);
CREATE TABLE public.mailed_codes (
    request text NOT NULL,
    person uuid,
    address character varying(254) NOT NULL,
    purpose text NOT NULL,
    digest text NOT NULL,
    attempts_left smallint NOT NULL,
    asked_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT mailed_codes_attempts_left_check CHECK (((attempts_left >= 0) AND (attempts_left <= 5))),
    CONSTRAINT mailed_codes_purpose_check CHECK ((purpose = ANY (ARRAY['sign-in'::text, 'sign-up'::text, 'address'::text])))
);
CREATE TABLE public.name_starts (
    game text NOT NULL COLLATE pg_catalog."C",
    is_inner boolean NOT NULL,
    start text NOT NULL COLLATE pg_catalog."C",
    name_id integer NOT NULL
);
COMMENT ON COLUMN public.name_starts.start IS 'The folded name from a word on; is_inner: not from the first';
CREATE TABLE public.name_words (
    word text NOT NULL COLLATE pg_catalog."C",
    marks integer[] NOT NULL
);
CREATE TABLE public.observations (
    source text NOT NULL,
    native_id text NOT NULL,
    sku text NOT NULL COLLATE pg_catalog."C",
    digest text NOT NULL,
    "row" json NOT NULL,
    from_run bigint,
    statement_id integer NOT NULL
);
COMMENT ON COLUMN public.observations.digest IS 'SHA-256 of the mapped row';
COMMENT ON COLUMN public.observations."row" IS 'The mapped row: declared fields only';
COMMENT ON COLUMN public.observations.from_run IS 'The run since which every succeeded run of the source sees the row under this SKU; null when the last one did not';
COMMENT ON COLUMN public.observations.statement_id IS 'Id of what the row says of its set';
CREATE TABLE public.outside_readings (
    name text NOT NULL,
    read_at timestamp with time zone NOT NULL,
    value jsonb NOT NULL
);
COMMENT ON TABLE public.outside_readings IS 'What was last read of places outside, by their names';
CREATE TABLE public.passkey_challenges (
    digest text NOT NULL,
    person uuid,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE public.passkeys (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    person uuid NOT NULL,
    credential text NOT NULL,
    public_key bytea NOT NULL,
    counter bigint NOT NULL,
    name character varying(80) NOT NULL,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    last_used_on date
);
CREATE TABLE public.profiles (
    person uuid NOT NULL,
    languages text[] NOT NULL,
    region character varying(2),
    cadence text
);
CREATE TABLE public.proof_batches (
    batch integer NOT NULL,
    epoch integer NOT NULL,
    tree_size bigint NOT NULL,
    root character varying(64) NOT NULL,
    previous character varying(64) NOT NULL,
    signed_at timestamp(3) with time zone NOT NULL,
    key_id character varying(43) NOT NULL,
    signature character varying(86) NOT NULL,
    chain_hash character varying(64) NOT NULL,
    leaf_count integer NOT NULL,
    window_from timestamp(3) with time zone NOT NULL,
    window_to timestamp(3) with time zone NOT NULL
);
CREATE TABLE public.proof_epochs (
    epoch integer NOT NULL,
    reason character varying(500) NOT NULL,
    declared_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP(3) NOT NULL,
    after character varying(64),
    lost character varying(64)
);
COMMENT ON TABLE public.proof_epochs IS 'Rows of its migration: 1';
CREATE TABLE public.proof_keys (
    key_id character varying(43) NOT NULL,
    x character varying(43) NOT NULL,
    first_used_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP(3) NOT NULL
);
CREATE TABLE public.proof_nodes (
    epoch integer NOT NULL,
    level integer NOT NULL,
    index bigint NOT NULL,
    hash character varying(64) NOT NULL
);
CREATE TABLE public.quarantine (
    id bigint NOT NULL,
    run bigint NOT NULL,
    source text NOT NULL,
    native_id text NOT NULL,
    other_native_id text,
    sku text COLLATE pg_catalog."C",
    reason text NOT NULL
);
COMMENT ON COLUMN public.quarantine.other_native_id IS 'The row that already holds the SKU';
CREATE SEQUENCE public.quarantine_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.quarantine_id_seq OWNED BY public.quarantine.id;
CREATE UNLOGGED TABLE public.rate_limits (
    key character varying(255) NOT NULL,
    points integer DEFAULT 0 NOT NULL,
    expire bigint
);
CREATE TABLE public.runs (
    id bigint NOT NULL,
    source text NOT NULL,
    status text NOT NULL,
    started_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    snapshot text,
    rows_read integer DEFAULT 0 NOT NULL,
    rows_written integer DEFAULT 0 NOT NULL,
    rows_unchanged integer DEFAULT 0 NOT NULL,
    rows_quarantined integer DEFAULT 0 NOT NULL,
    conditions_met boolean,
    duration_ms integer,
    document_form text,
    precedence smallint,
    CONSTRAINT runs_status_check CHECK ((status = ANY (ARRAY['running'::text, 'succeeded'::text, 'failed'::text])))
);
COMMENT ON COLUMN public.runs.snapshot IS 'SHA-256 over the files that were read, lowercase hex';
COMMENT ON COLUMN public.runs.conditions_met IS 'The operator''s word that what the upstream asks for is done; null when nothing was open';
COMMENT ON COLUMN public.runs.document_form IS 'Names the form of the documents it stored; a run that finds another form makes them again';
COMMENT ON COLUMN public.runs.precedence IS 'Sources with a lower number speak first of a card';
CREATE SEQUENCE public.runs_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.runs_id_seq OWNED BY public.runs.id;
CREATE TABLE public.schema_migrations (
    id integer NOT NULL,
    name character varying(255),
    batch integer,
    migration_time timestamp with time zone
);
CREATE SEQUENCE public.schema_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.schema_migrations_id_seq OWNED BY public.schema_migrations.id;
CREATE TABLE public.schema_migrations_lock (
    index integer NOT NULL,
    is_locked integer
);
CREATE SEQUENCE public.schema_migrations_lock_index_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.schema_migrations_lock_index_seq OWNED BY public.schema_migrations_lock.index;
CREATE TABLE public.secrets (
    name text NOT NULL,
    secret text NOT NULL
);
COMMENT ON COLUMN public.secrets.secret IS 'Bytes in base64url';
CREATE TABLE public.sessions (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    digest text NOT NULL,
    form_token text NOT NULL,
    person uuid NOT NULL,
    signed_in_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    last_used_on date NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE public.set_listings (
    set_id integer NOT NULL,
    items text NOT NULL,
    cards integer NOT NULL,
    digest text NOT NULL
);
ALTER TABLE ONLY public.set_listings ALTER COLUMN items SET STORAGE EXTERNAL;
COMMENT ON COLUMN public.set_listings.items IS 'Canonical JSON';
COMMENT ON COLUMN public.set_listings.cards IS 'How many it lists';
COMMENT ON COLUMN public.set_listings.digest IS 'SHA-256 of the items';
CREATE TABLE public.set_numbers (
    set_id integer NOT NULL,
    lowest integer NOT NULL,
    highest integer NOT NULL,
    unseen integer NOT NULL,
    gaps jsonb NOT NULL
);
COMMENT ON COLUMN public.set_numbers.unseen IS 'How many between the two were not seen';
COMMENT ON COLUMN public.set_numbers.gaps IS '[first, last] of each run of them, in order';
CREATE TABLE public.set_statements (
    id integer NOT NULL,
    digest text NOT NULL,
    statement jsonb NOT NULL
);
COMMENT ON COLUMN public.set_statements.digest IS 'SHA-256 of the statement as it was written';
COMMENT ON COLUMN public.set_statements.statement IS 'Name, translated names, release date, declared total: as one source says';
CREATE SEQUENCE public.set_statements_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.set_statements_id_seq OWNED BY public.set_statements.id;
CREATE TABLE public.sets (
    id integer NOT NULL,
    game text NOT NULL,
    code text NOT NULL,
    code_key text NOT NULL,
    name text,
    name_translations jsonb,
    released_on text,
    released_note text,
    declared_total integer,
    card_count integer DEFAULT 0 NOT NULL,
    content_hash text DEFAULT ''::text NOT NULL,
    first_seen_at timestamp with time zone NOT NULL,
    number_count integer DEFAULT 0 NOT NULL
);
COMMENT ON COLUMN public.sets.code IS 'As the upstream writes it';
COMMENT ON COLUMN public.sets.code_key IS 'Lowercase code: the key of lookups';
COMMENT ON COLUMN public.sets.released_on IS 'ISO 8601 date, or null';
COMMENT ON COLUMN public.sets.released_note IS 'What the upstream wrote when it is not a date';
COMMENT ON COLUMN public.sets.number_count IS 'Cards told apart by number only';
CREATE SEQUENCE public.sets_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.sets_id_seq OWNED BY public.sets.id;
CREATE TABLE public.sightings (
    source text NOT NULL,
    native_id text NOT NULL,
    sku text NOT NULL COLLATE pg_catalog."C",
    from_run bigint NOT NULL,
    until_run bigint NOT NULL
);
COMMENT ON COLUMN public.sightings.sku IS 'Of the row during this sighting';
COMMENT ON COLUMN public.sightings.from_run IS 'The first succeeded run of the source that saw the row';
COMMENT ON COLUMN public.sightings.until_run IS 'The first succeeded run of the source after it that did not';
CREATE TABLE public.sign_in_codes (
    person uuid NOT NULL,
    digest text NOT NULL,
    attempts_left integer NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE public.sign_in_counts (
    part integer NOT NULL,
    tried bigint NOT NULL
);
COMMENT ON TABLE public.sign_in_counts IS 'How many codes were tried, in parts that names are spread over: so that a name nobody has costs as much as another';
CREATE TABLE public.unseen_sets (
    set_id integer NOT NULL,
    source text NOT NULL,
    until_run bigint NOT NULL
);
COMMENT ON COLUMN public.unseen_sets.until_run IS 'The run since which the source, which showed cards of the set, shows none';
CREATE TABLE public.withdrawals (
    sku text NOT NULL COLLATE pg_catalog."C",
    source text NOT NULL,
    withdrawn_at timestamp with time zone NOT NULL,
    reason text NOT NULL,
    successor text COLLATE pg_catalog."C",
    CONSTRAINT withdrawals_reason_check CHECK ((reason = ANY (ARRAY['gone'::text, 'moved'::text, 'refused'::text])))
);
COMMENT ON COLUMN public.withdrawals.source IS 'The last that observed the card';
COMMENT ON COLUMN public.withdrawals.successor IS 'The SKU that the same row of the source has since; null when it has none';
ALTER TABLE ONLY public.account_acts ALTER COLUMN id SET DEFAULT nextval('public.account_acts_id_seq'::regclass);
ALTER TABLE ONLY public.auction_bids ALTER COLUMN id SET DEFAULT nextval('public.auction_bids_id_seq'::regclass);
ALTER TABLE ONLY public.auction_events ALTER COLUMN id SET DEFAULT nextval('public.auction_events_id_seq'::regclass);
ALTER TABLE ONLY public.card_changes ALTER COLUMN id SET DEFAULT nextval('public.card_changes_id_seq'::regclass);
ALTER TABLE ONLY public.draws ALTER COLUMN nonce SET DEFAULT nextval('public.draws_nonce_seq'::regclass);
ALTER TABLE ONLY public.quarantine ALTER COLUMN id SET DEFAULT nextval('public.quarantine_id_seq'::regclass);
ALTER TABLE ONLY public.runs ALTER COLUMN id SET DEFAULT nextval('public.runs_id_seq'::regclass);
ALTER TABLE ONLY public.schema_migrations ALTER COLUMN id SET DEFAULT nextval('public.schema_migrations_id_seq'::regclass);
ALTER TABLE ONLY public.schema_migrations_lock ALTER COLUMN index SET DEFAULT nextval('public.schema_migrations_lock_index_seq'::regclass);
ALTER TABLE ONLY public.set_statements ALTER COLUMN id SET DEFAULT nextval('public.set_statements_id_seq'::regclass);
ALTER TABLE ONLY public.sets ALTER COLUMN id SET DEFAULT nextval('public.sets_id_seq'::regclass);
INSERT INTO public.access_keys VALUES ('bcfa1db1-7947-47fd-854c-5809eb308275', '64422fceb8e2d23c81a573e0e0edc2a28a544dc12ac16571059b7e97f29acf17', 'agent', 'operator-managed', '41983409-332f-437f-a6b6-f4efcf317037', 'A reader', 'try@example.org', 'standard', '{read}', '2026-11-27 21:41:00.267565+00', NULL, NULL, NULL);
INSERT INTO public.access_keys VALUES ('64c2656a-6654-4f69-806b-4f7de498226a', 'b67e95534866a9f71c30fa44f8425fd5dc771106b47f2b1eaa8b5b352508308b', 'agent', 'operator-managed', '41983409-332f-437f-a6b6-f4efcf317037', 'Scout', 'try@example.org', 'standard', '{read,hunt}', '2026-11-27 21:41:00.27946+00', NULL, NULL, NULL);
INSERT INTO public.access_keys VALUES ('1b42dfa2-59a0-4f14-a73a-9dcdd77825b7', 'bee563373b5a806adf968b04cc93351d122c07079ed608ccc47e15e41a777e50', 'agent', 'operator-managed', 'e68b8771-1047-40e0-8142-5c3f4f601c9c', 'Checker', 'try@example.org', 'standard', '{read,hunt}', '2026-11-27 21:41:00.282371+00', NULL, NULL, NULL);
INSERT INTO public.access_keys VALUES ('e9066fd0-4d62-48df-8498-19a3e0730f15', '63fbdc53442ba8621c93293b8e2a2906f352470f3563cae0c28876b616aebb9c', 'agent', 'operator-managed', '4f0d3327-2ce6-47f9-9f2a-69171fea74fb', 'Mirror', 'try@example.org', 'standard', '{read,hunt}', '2026-11-27 21:41:00.291393+00', NULL, NULL, NULL);
INSERT INTO public.access_keys VALUES ('5c6b6b91-8499-41bb-b29f-1ef3a485a3a7', '37711987a16e0975ddfa3a81f4669eed09b8086a6448b380284d6c49ae399987', 'wholesale', 'operator-managed', NULL, 'A wholesale partner', 'try@example.org', 'standard', '{read}', '2026-11-27 21:41:00.294633+00', NULL, NULL, NULL);
INSERT INTO public.account_acts VALUES (1, '2026-11-27 21:41:00.079797+00', 'operator', 'dev-seed', 'database', '{}');
INSERT INTO public.account_acts VALUES (2, '2026-11-27 21:41:00.083635+00', 'operator', 'people.add', '41983409-332f-437f-a6b6-f4efcf317037', '{"roles": []}');
INSERT INTO public.account_acts VALUES (3, '2026-11-27 21:41:00.095383+00', 'operator', 'people.add', 'e68b8771-1047-40e0-8142-5c3f4f601c9c', '{"roles": []}');
INSERT INTO public.account_acts VALUES (4, '2026-11-27 21:41:00.099262+00', 'operator', 'people.add', '4f0d3327-2ce6-47f9-9f2a-69171fea74fb', '{"roles": ["admin"]}');
INSERT INTO public.account_acts VALUES (5, '2026-11-27 21:41:00.103249+00', 'operator', 'people.add', '87e171fe-ddf9-42d3-ae93-5bf3c88f9e82', '{"roles": []}');
INSERT INTO public.account_acts VALUES (6, '2026-11-27 21:41:00.107369+00', '41983409-332f-437f-a6b6-f4efcf317037', 'receipts.give', '7bcea3d4-5bc2-4887-9b09-19d260b0b657', '{"scope": "profile", "notice_version": "2026-11-24"}');
INSERT INTO public.account_acts VALUES (7, '2026-11-27 21:41:00.115419+00', 'operator', 'people.suspend', '87e171fe-ddf9-42d3-ae93-5bf3c88f9e82', '{}');
INSERT INTO public.account_acts VALUES (8, '2026-11-27 21:41:00.143238+00', '41983409-332f-437f-a6b6-f4efcf317037', 'receipts.give', 'ba3ed8a9-9042-43c7-820c-25d76ddd4417', '{"scope": "have-list", "notice_version": "2026-11-24"}');
INSERT INTO public.account_acts VALUES (9, '2026-11-27 21:41:00.151229+00', '41983409-332f-437f-a6b6-f4efcf317037', 'receipts.give', 'f6221d00-cff4-449b-b7b6-fbd5e83ff077', '{"scope": "want-list", "notice_version": "2026-11-24"}');
INSERT INTO public.account_acts VALUES (10, '2026-11-27 21:41:00.153684+00', '41983409-332f-437f-a6b6-f4efcf317037', 'receipts.give', '983c1f09-150c-4317-a0c7-5df38b58940e', '{"scope": "language", "notice_version": "2026-11-24"}');
INSERT INTO public.account_acts VALUES (11, '2026-11-27 21:41:00.163377+00', '41983409-332f-437f-a6b6-f4efcf317037', 'receipts.give', '16396372-e144-436d-80bb-92421c2201cf', '{"scope": "region", "notice_version": "2026-11-24"}');
INSERT INTO public.account_acts VALUES (12, '2026-11-27 21:41:00.17532+00', '41983409-332f-437f-a6b6-f4efcf317037', 'receipts.give', 'e345af0e-f73e-4e7e-a92d-76611ccf57fb', '{"scope": "organisation", "notice_version": "2026-11-24"}');
INSERT INTO public.account_acts VALUES (13, '2026-11-27 21:41:00.183489+00', '41983409-332f-437f-a6b6-f4efcf317037', 'organisations.put', '41983409-332f-437f-a6b6-f4efcf317037', '{}');
INSERT INTO public.account_acts VALUES (14, '2026-11-27 21:41:00.195578+00', 'operator', 'organisations.approve', '41983409-332f-437f-a6b6-f4efcf317037', '{}');
INSERT INTO public.account_acts VALUES (15, '2026-11-27 21:41:00.203797+00', 'operator', 'people.code', '41983409-332f-437f-a6b6-f4efcf317037', '{}');
INSERT INTO public.account_acts VALUES (16, '2026-11-27 21:41:00.23558+00', 'operator', 'people.code', '4f0d3327-2ce6-47f9-9f2a-69171fea74fb', '{}');
INSERT INTO public.account_acts VALUES (17, '2026-11-27 21:41:00.252972+00', 'operator', 'people.code', 'e68b8771-1047-40e0-8142-5c3f4f601c9c', '{}');
INSERT INTO public.account_acts VALUES (18, '2026-11-27 21:41:00.267565+00', 'operator', 'keys.create', 'bcfa1db1-7947-47fd-854c-5809eb308275', '{"kind": "agent", "tier": "standard", "scopes": ["read"]}');
INSERT INTO public.account_acts VALUES (19, '2026-11-27 21:41:00.27946+00', 'operator', 'keys.create', '64c2656a-6654-4f69-806b-4f7de498226a', '{"kind": "agent", "tier": "standard", "scopes": ["read", "hunt"]}');
INSERT INTO public.account_acts VALUES (20, '2026-11-27 21:41:00.282371+00', 'operator', 'keys.create', '1b42dfa2-59a0-4f14-a73a-9dcdd77825b7', '{"kind": "agent", "tier": "standard", "scopes": ["read", "hunt"]}');
INSERT INTO public.account_acts VALUES (21, '2026-11-27 21:41:00.291393+00', 'operator', 'keys.create', 'e9066fd0-4d62-48df-8498-19a3e0730f15', '{"kind": "agent", "tier": "standard", "scopes": ["read", "hunt"]}');
INSERT INTO public.account_acts VALUES (22, '2026-11-27 21:41:00.294633+00', 'operator', 'keys.create', '5c6b6b91-8499-41bb-b29f-1ef3a485a3a7', '{"kind": "wholesale", "tier": "standard", "scopes": ["read"]}');
INSERT INTO public.account_acts VALUES (23, '2026-11-27 21:41:00.371299+00', 'operator', 'auctions.paid', '9d334f8c-a6c0-4999-959d-62bf4268c32e', '{}');
INSERT INTO public.auction_bids VALUES (1, '9d334f8c-a6c0-4999-959d-62bf4268c32e', '41983409-332f-437f-a6b6-f4efcf317037', 'buy', 1000, 'placed', '2026-11-27 21:41:00.338+00');
INSERT INTO public.auction_bids VALUES (2, '77255acb-6d0b-40a3-be75-afe9f1b43f7d', '41983409-332f-437f-a6b6-f4efcf317037', 'bid', 1200, 'placed', '2026-11-27 21:41:00.415+00');
INSERT INTO public.auction_bids VALUES (3, '42229350-d5ce-4a52-89a7-351aa1326cf1', '41983409-332f-437f-a6b6-f4efcf317037', 'buy', 1000, 'placed', '2026-11-27 21:41:00.483+00');
INSERT INTO public.auction_events VALUES (1, '9d334f8c-a6c0-4999-959d-62bf4268c32e', 'draft', 'submit', 'scheduled', 'seller', '2026-11-27 21:41:00.31+00');
INSERT INTO public.auction_events VALUES (2, '9d334f8c-a6c0-4999-959d-62bf4268c32e', 'scheduled', 'begin', 'live', 'clock', '2026-11-27 21:41:00.31+00');
INSERT INTO public.auction_events VALUES (3, '9d334f8c-a6c0-4999-959d-62bf4268c32e', 'live', 'buy', 'ended', 'bidder', '2026-11-27 21:41:00.338+00');
INSERT INTO public.auction_events VALUES (4, '1f8f3321-2a2c-4687-acc9-a4231add7e15', 'draft', 'submit', 'scheduled', 'seller', '2026-11-27 21:41:00.352+00');
INSERT INTO public.auction_events VALUES (5, '77255acb-6d0b-40a3-be75-afe9f1b43f7d', 'draft', 'submit', 'scheduled', 'seller', '2026-11-27 21:41:00.366+00');
INSERT INTO public.auction_events VALUES (6, '9d334f8c-a6c0-4999-959d-62bf4268c32e', 'ended', 'paid', 'paid', 'admin', '2026-11-27 21:41:00.372+00');
INSERT INTO public.auction_events VALUES (7, '1f8f3321-2a2c-4687-acc9-a4231add7e15', 'scheduled', 'begin', 'live', 'clock', '2026-11-27 21:41:00.352+00');
INSERT INTO public.auction_events VALUES (8, '1f8f3321-2a2c-4687-acc9-a4231add7e15', 'live', 'cancel', 'cancelled', 'seller', '2026-11-27 21:41:00.389+00');
INSERT INTO public.auction_events VALUES (9, '77255acb-6d0b-40a3-be75-afe9f1b43f7d', 'scheduled', 'begin', 'live', 'clock', '2026-11-27 21:41:00.366+00');
INSERT INTO public.auction_events VALUES (10, '77255acb-6d0b-40a3-be75-afe9f1b43f7d', 'live', 'bid', 'live', 'bidder', '2026-11-27 21:41:00.415+00');
INSERT INTO public.auction_events VALUES (11, 'd7939450-2271-49ac-a83e-6b2628b7bc0e', 'draft', 'submit', 'scheduled', 'seller', '2026-11-27 21:41:00.433+00');
INSERT INTO public.auction_events VALUES (12, '4b378668-27cb-4f91-8410-b814acb6b00d', 'draft', 'submit', 'scheduled', 'seller', '2026-11-27 21:41:00.444+00');
INSERT INTO public.auction_events VALUES (13, 'f26a7fc8-35d4-4d06-8441-c2eb05b5378f', 'draft', 'submit', 'scheduled', 'seller', '2026-11-27 21:41:00.456+00');
INSERT INTO public.auction_events VALUES (14, '42229350-d5ce-4a52-89a7-351aa1326cf1', 'draft', 'submit', 'scheduled', 'seller', '2026-11-27 21:41:00.468+00');
INSERT INTO public.auction_events VALUES (15, '42229350-d5ce-4a52-89a7-351aa1326cf1', 'scheduled', 'begin', 'live', 'clock', '2026-11-27 21:41:00.468+00');
INSERT INTO public.auction_events VALUES (16, '42229350-d5ce-4a52-89a7-351aa1326cf1', 'live', 'buy', 'ended', 'bidder', '2026-11-27 21:41:00.483+00');
INSERT INTO public.auction_events VALUES (17, '4b378668-27cb-4f91-8410-b814acb6b00d', 'scheduled', 'begin', 'live', 'clock', '2026-11-27 21:41:00.444+00');
INSERT INTO public.auction_events VALUES (18, 'f26a7fc8-35d4-4d06-8441-c2eb05b5378f', 'scheduled', 'begin', 'live', 'clock', '2026-11-27 21:41:00.456+00');
INSERT INTO public.auctions VALUES ('9d334f8c-a6c0-4999-959d-62bf4268c32e', 'e68b8771-1047-40e0-8142-5c3f4f601c9c', 'op-op01-001-en', 'Paid', '', 'NM', 'buy_now', 'paid', false, 'not_needed', NULL, 'NOASSERTION', 'GBP', 1000, NULL, NULL, 1000, NULL, NULL, 1000, 1000, NULL, false, '2026-11-27 21:41:00.31+00', '2026-11-30 21:41:00.303+00', 0, 1, 1, 1, '41983409-332f-437f-a6b6-f4efcf317037', '2026-11-27 21:41:00.31+00', '2026-11-27 21:41:00.338+00', '2026-11-27 21:41:00.372+00', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-27 21:41:00.301072+00', '2026-11-27 21:41:00.372+00');
INSERT INTO public.auctions VALUES ('1f8f3321-2a2c-4687-acc9-a4231add7e15', 'e68b8771-1047-40e0-8142-5c3f4f601c9c', 'op-op01-001-en', 'Cancelled', '', 'NM', 'english', 'cancelled', false, 'not_needed', NULL, 'NOASSERTION', 'GBP', 1000, NULL, 100, NULL, NULL, NULL, NULL, NULL, NULL, false, '2026-11-27 21:41:00.352+00', '2026-11-30 21:41:00.347+00', 0, 0, NULL, NULL, NULL, '2026-11-27 21:41:00.352+00', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'It was damaged.', 'seller', NULL, NULL, NULL, NULL, NULL, '2026-11-27 21:41:00.347336+00', '2026-11-27 21:41:00.389+00');
INSERT INTO public.auctions VALUES ('77255acb-6d0b-40a3-be75-afe9f1b43f7d', 'e68b8771-1047-40e0-8142-5c3f4f601c9c', 'op-op01-001-en', 'Live, English', '', 'NM', 'english', 'live', false, 'not_needed', NULL, 'NOASSERTION', 'GBP', 1000, 3000, 100, 9000, NULL, NULL, 1200, NULL, NULL, true, '2026-11-27 21:41:00.366+00', '2026-11-30 21:41:00.359+00', 0, 1, 2, NULL, NULL, '2026-11-27 21:41:00.366+00', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-27 21:41:00.359416+00', '2026-11-27 21:41:00.415+00');
INSERT INTO public.auctions VALUES ('67b6c0a0-5a22-4e61-8a68-701a4df2e961', 'e68b8771-1047-40e0-8142-5c3f4f601c9c', 'op-op01-001-en', 'Draft', '', 'NM', 'english', 'draft', false, 'not_needed', NULL, 'NOASSERTION', 'GBP', 1000, NULL, 100, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, '2026-11-30 21:41:00.419+00', 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-27 21:41:00.41976+00', '2026-11-27 21:41:00.41976+00');
INSERT INTO public.auctions VALUES ('d7939450-2271-49ac-a83e-6b2628b7bc0e', 'e68b8771-1047-40e0-8142-5c3f4f601c9c', 'op-op01-001-en', 'Scheduled', '', 'NM', 'english', 'scheduled', false, 'not_needed', NULL, 'NOASSERTION', 'GBP', 1000, NULL, 100, NULL, NULL, NULL, NULL, NULL, NULL, false, '2026-11-28 21:41:00.421+00', '2026-11-30 21:41:00.421+00', 0, 0, NULL, NULL, NULL, '2026-11-27 21:41:00.433+00', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-27 21:41:00.421671+00', '2026-11-27 21:41:00.433+00');
INSERT INTO public.auctions VALUES ('42229350-d5ce-4a52-89a7-351aa1326cf1', 'e68b8771-1047-40e0-8142-5c3f4f601c9c', 'op-op01-001-en', 'Ended', '', 'NM', 'buy_now', 'ended', false, 'not_needed', NULL, 'NOASSERTION', 'GBP', 1000, NULL, NULL, 1000, NULL, NULL, 1000, 1000, NULL, false, '2026-11-27 21:41:00.468+00', '2026-11-30 21:41:00.463+00', 0, 1, 3, 3, '41983409-332f-437f-a6b6-f4efcf317037', '2026-11-27 21:41:00.468+00', '2026-11-27 21:41:00.483+00', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-27 21:41:00.463315+00', '2026-11-27 21:41:00.483+00');
INSERT INTO public.auctions VALUES ('4b378668-27cb-4f91-8410-b814acb6b00d', 'e68b8771-1047-40e0-8142-5c3f4f601c9c', 'op-op01-001-en', 'Live, Dutch', '', 'NM', 'dutch', 'live', false, 'not_needed', NULL, 'NOASSERTION', 'GBP', 5000, NULL, NULL, NULL, 1000, 100, NULL, NULL, 600, false, '2026-11-27 21:41:00.444+00', '2026-11-30 21:41:00.439+00', 0, 0, NULL, NULL, NULL, '2026-11-27 21:41:00.444+00', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-27 21:41:00.439375+00', '2026-11-27 21:41:00.444+00');
INSERT INTO public.auctions VALUES ('f26a7fc8-35d4-4d06-8441-c2eb05b5378f', 'e68b8771-1047-40e0-8142-5c3f4f601c9c', 'op-op01-001-en', 'To buy now', '', 'NM', 'buy_now', 'live', false, 'not_needed', NULL, 'NOASSERTION', 'GBP', 1500, NULL, NULL, 1500, NULL, NULL, NULL, NULL, NULL, false, '2026-11-27 21:41:00.456+00', '2026-11-30 21:41:00.451+00', 0, 0, NULL, NULL, NULL, '2026-11-27 21:41:00.456+00', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-27 21:41:00.451418+00', '2026-11-27 21:41:00.456+00');
INSERT INTO public.card_changes VALUES (1, 'lan-ab1-001-en', 'withdrawn', 3, 'lantern', '2026-11-27 21:41:39.276902+00', '{}', '04b73261171e984bec381b32e897dc9898cb5afcaebcaaf86442605900179e18');
INSERT INTO public.card_names OVERRIDING SYSTEM VALUE VALUES (2, 'lan', 'Odd ★', '{lan-p-1~2f2-en}');
INSERT INTO public.card_names OVERRIDING SYSTEM VALUE VALUES (3, 'lan', 'Tide', '{lan-ab1-002-en}');
INSERT INTO public.card_names OVERRIDING SYSTEM VALUE VALUES (4, 'lan', '最初の灯', '{lan-ab1-001-ja}');
INSERT INTO public.card_names OVERRIDING SYSTEM VALUE VALUES (1, 'lan', 'First Lantern', '{lan-ab1-001-en-p1}');
INSERT INTO public.cards VALUES ('lan-ab1-001-en-p1', 1, 'lan', 'AB1', 'AB1-001', 'en', 'p1', 'First Lantern', '{"en":"First Lantern"}', NULL, NULL, '{"block":"none","category":"spell","cost":3}', '{lantern}', 'eaaa8d97f85be338a195ec13f354ddb290d6faecab4e8353d8942dee1ea0ec7d', 'null{"is_default":false,"natural_label":"p1"}{"available_languages":["en"],"fallback_chain":[{"available":true,"lang":"default"}],"natural_token":"First Lantern","resolved_from":"default","resolved_lang":"en"}{"block":"none","category":"spell","cost":3}null["noassertion"],"@sources":["lantern"]"AB1-001""en""AB1""ab1"ab1lanlan-ab1-001-en-p1eaaa8d97f85be338a195ec13f354ddb290d6faecab4e8353d8942dee1ea0ec7d', '8e67c5827b4af5bfe5194f749964743afd89fd40bac66da963703c9ac58c4ce6', '2026-11-27 21:41:32.34098+00', '2026-11-27 21:41:32.34098+00', 'lan:ab1-1', 'lan:1', 'lan:ab1-001');
INSERT INTO public.cards VALUES ('lan-ab1-002-en', 1, 'lan', 'AB1', 'AB1-002', 'en', '', 'Tide', '{"en":"Tide"}', NULL, NULL, '{"block":"none","category":"site","cost":0}', '{lantern}', '7c9596a200b73deb3a0eb0d43440fe13e434bc4beaa19b01953ea1cffff4cb6f', 'nullnull{"available_languages":["en"],"fallback_chain":[{"available":true,"lang":"default"}],"natural_token":"Tide","resolved_from":"default","resolved_lang":"en"}{"block":"none","category":"site","cost":0}null["noassertion"],"@sources":["lantern"]"AB1-002""en""AB1""ab1"ab1lanlan-ab1-002-en7c9596a200b73deb3a0eb0d43440fe13e434bc4beaa19b01953ea1cffff4cb6f', 'ca67ad3b4c19e5c9a67936e95c754482ee930e70e8f11354a3b61ee96fe1b6b0', '2026-11-27 21:41:32.34098+00', '2026-11-27 21:41:32.34098+00', 'lan:ab1-2', 'lan:2', 'lan:ab1-002');
INSERT INTO public.cards VALUES ('lan-p-1~2f2-en', 2, 'lan', 'P', 'P-1/2', 'en', '', 'Odd ★', '{"en":"Odd ★"}', NULL, NULL, '{"block":"none"}', '{lantern}', 'ea4ad2dfbcd55d7ec390526596a00967b133d5dabc195529723483c83fd3199b', 'nullnull{"available_languages":["en"],"fallback_chain":[{"available":true,"lang":"default"}],"natural_token":"Odd ★","resolved_from":"default","resolved_lang":"en"}{"block":"none"}null["noassertion"],"@sources":["lantern"]"P-1/2""en""P""p"planlan-p-1~2f2-enea4ad2dfbcd55d7ec390526596a00967b133d5dabc195529723483c83fd3199b', '89a05ed8004e93cdc8a0ad7af2e850856082a3f7ece0511483d89a73f9de34d3', '2026-11-27 21:41:32.34098+00', '2026-11-27 21:41:32.34098+00', 'lan:p1-2', 'lan:1-2', 'lan:p-1/2');
INSERT INTO public.cards VALUES ('lan-ab1-001-ja', 1, 'lan', 'AB1', 'AB1-001', 'ja', '', '最初の灯', '{"ja":"最初の灯"}', NULL, NULL, '{"block":"none","category":"spell","cost":3}', '{lantern}', '563e33b8bd7b27277ef3402f2828c3cfbd17ee347ed9b18af37f6092583b07ac', 'nullnull{"available_languages":["ja"],"fallback_chain":[{"available":true,"lang":"default"}],"natural_token":"最初の灯","resolved_from":"default","resolved_lang":"ja"}{"block":"none","category":"spell","cost":3}null["noassertion"],"@sources":["lantern"]"AB1-001""ja""AB1""ab1"ab1lanlan-ab1-001-ja563e33b8bd7b27277ef3402f2828c3cfbd17ee347ed9b18af37f6092583b07ac', 'fe543130fada2a2cb9a77620919168d46a4220d50b0046bf0484f86f645664ac', '2026-11-27 21:41:32.34098+00', '2026-11-27 21:41:32.34098+00', 'lan:ab1-1', 'lan:1', 'lan:ab1-001');
INSERT INTO public.catalogue_state VALUES ('catalogue', '0e8ababb-a915-4af8-9287-bd2e63a6bad6');
INSERT INTO public.coverage_patterns VALUES ('lan', '[["lantern", 1, 3]]', 1);
INSERT INTO public.coverage_patterns VALUES ('lan', '[["lantern", 1, null]]', 4);
INSERT INTO public.draw_rates VALUES ('8e2ad8b1251520647384feb8e27e10e79560db9e43db6f261ec5f79c6eda6a70', '{"@kind":"booster-rates/1","game":"ptcgp","set":"b3","source":"pokemon-tcg-pocket-database","packs":[{"name":"Regular Pack","weight":947110,"places":[{"place":"1","rarities":[{"rarity":"C","weight":1000000}]},{"place":"2","rarities":[{"rarity":"C","weight":1000000}]},{"place":"3","rarities":[{"rarity":"C","weight":1000000}]},{"place":"4","rarities":[{"rarity":"UR","weight":400},{"rarity":"IM","weight":2220},{"rarity":"SR","weight":5000},{"rarity":"AR","weight":25720},{"rarity":"RR","weight":16670},{"rarity":"R","weight":50000},{"rarity":"U","weight":899990}]},{"place":"5","rarities":[{"rarity":"UR","weight":1600},{"rarity":"IM","weight":8890},{"rarity":"SR","weight":20000},{"rarity":"AR","weight":102860},{"rarity":"RR","weight":66670},{"rarity":"R","weight":200000},{"rarity":"U","weight":599980}]}]},{"name":"Rare Pack","weight":500,"places":[{"place":"1","rarities":[{"rarity":"UR","weight":39210},{"rarity":"IM","weight":39210},{"rarity":"SR","weight":450980},{"rarity":"AR","weight":470580}]},{"place":"2","rarities":[{"rarity":"UR","weight":39210},{"rarity":"IM","weight":39210},{"rarity":"SR","weight":450980},{"rarity":"AR","weight":470580}]},{"place":"3","rarities":[{"rarity":"UR","weight":39210},{"rarity":"IM","weight":39210},{"rarity":"SR","weight":450980},{"rarity":"AR","weight":470580}]},{"place":"4","rarities":[{"rarity":"UR","weight":39210},{"rarity":"IM","weight":39210},{"rarity":"SR","weight":450980},{"rarity":"AR","weight":470580}]},{"place":"5","rarities":[{"rarity":"UR","weight":39210},{"rarity":"IM","weight":39210},{"rarity":"SR","weight":450980},{"rarity":"AR","weight":470580}]}]},{"name":"Regular Pack +1","weight":52380,"places":[{"place":"1","rarities":[{"rarity":"C","weight":1000000}]},{"place":"2","rarities":[{"rarity":"C","weight":1000000}]},{"place":"3","rarities":[{"rarity":"C","weight":1000000}]},{"place":"4","rarities":[{"rarity":"UR","weight":400},{"rarity":"IM","weight":2220},{"rarity":"SR","weight":5000},{"rarity":"AR","weight":25720},{"rarity":"RR","weight":16670},{"rarity":"R","weight":50000},{"rarity":"U","weight":899990}]},{"place":"5","rarities":[{"rarity":"UR","weight":1600},{"rarity":"IM","weight":8890},{"rarity":"SR","weight":20000},{"rarity":"AR","weight":102860},{"rarity":"RR","weight":66670},{"rarity":"R","weight":200000},{"rarity":"U","weight":599980}]},{"place":"6","rarities":[{"rarity":"SSR","weight":318200},{"rarity":"S","weight":681800}]}]}]}');
INSERT INTO public.draws VALUES ('473806fc-372e-4203-82e7-34e89a618f2e', 4, '8e2ad8b1251520647384feb8e27e10e79560db9e43db6f261ec5f79c6eda6a70', 'baea6ee41f1b9e5b1b2db5462da3fdbe4db6c7793553f5c493c78dfada2f801e', 'c4e8667da52bba1a85db71d96feec76ac074efc64b214023fb6b90b2ea9c2516', '2026-11-27 21:41:00.586+00', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.draws VALUES ('ccd730b7-1ebf-4ea8-9bec-afd05bf70fd6', 1, '8e2ad8b1251520647384feb8e27e10e79560db9e43db6f261ec5f79c6eda6a70', 'd1864305b72c6ecbf8e37ae334b82468a51d2f8c1f9ea53587417b9294dcfae8', 'dc8160cf5c0f4c89f0e1e1a33160c8d1ff7eddd5ac3a0664157d3b1b1444ab82', '2026-11-27 21:41:00.536+00', 'f67b5a1ce6cc72e61391d32c17df28a188ba8ce6d4e46c204d58fcad9aa11f8e', '{"pack": "Regular Pack", "rarities": ["C", "C", "C", "U", "AR"]}', '2026-11-27 21:41:00.544+00', 1, 0);
INSERT INTO public.draws VALUES ('8de3a5c6-7975-4062-b17c-e8e62bbe45fa', 2, '8e2ad8b1251520647384feb8e27e10e79560db9e43db6f261ec5f79c6eda6a70', 'd2e9a15520b9754aa74c65e2e6e94a24a4c53af43fe25d93b44cac5c7e541eb1', '38227af63aec90ea73e3b83248fc9ffd0b59cd319daf5f75f58ec22d763c8d61', '2026-11-27 21:41:00.561+00', '6026c6c13258f021fe91cd2d72397e99967d2e3b89e2edab06133a0472db6f22', '{"pack": "Regular Pack", "rarities": ["C", "C", "C", "U", "AR"]}', '2026-11-27 21:41:00.567+00', 1, 1);
INSERT INTO public.draws VALUES ('7c0e9050-72f2-4575-b7af-9c3be1c3f524', 3, '8e2ad8b1251520647384feb8e27e10e79560db9e43db6f261ec5f79c6eda6a70', 'f2a1d686ca0882842f4e0d028695e64206bf0f4f1db0c74af10c164b06d61a80', 'ef16ded0e0f96b15ac5797e3432d89e7bac2a4ff1009a667f2bb7b710f90a1c9', '2026-11-27 21:41:00.575+00', 'ba4e45d1360dc903f7fdc0fc6ce3583554652e0dc079d69742343ce7367593b5', '{"pack": "Regular Pack", "rarities": ["C", "C", "C", "U", "R"]}', '2026-11-27 21:41:00.577+00', 1, 2);
INSERT INTO public.games VALUES ('lan', '1c2bab30ddcf07881d1442a54da148fa1b3a6a1261b9689c1fc6e13cce01fabc', 2, 4, 2, '2026-11-27 21:41:32.34098+00', '2026-11-27 21:41:39.276902+00');
INSERT INTO public.list_cards VALUES ('41983409-332f-437f-a6b6-f4efcf317037', 'have', 'op-op01-001-en', 1);
INSERT INTO public.list_cards VALUES ('41983409-332f-437f-a6b6-f4efcf317037', 'have', 'op-op01-002-en', 1);
INSERT INTO public.list_cards VALUES ('41983409-332f-437f-a6b6-f4efcf317037', 'want', 'op-op01-003-en', 1);
INSERT INTO public.list_cards VALUES ('e68b8771-1047-40e0-8142-5c3f4f601c9c', 'have', 'op-op01-003-en', 1);
INSERT INTO public.list_cards VALUES ('e68b8771-1047-40e0-8142-5c3f4f601c9c', 'have', 'op-op01-002-en', 1);
INSERT INTO public.list_cards VALUES ('e68b8771-1047-40e0-8142-5c3f4f601c9c', 'want', 'op-op01-001-en', 1);
INSERT INTO public.name_starts VALUES ('lan', false, 'first lantern', 1);
INSERT INTO public.name_starts VALUES ('lan', true, 'lantern', 1);
INSERT INTO public.name_starts VALUES ('lan', false, 'odd', 2);
INSERT INTO public.name_starts VALUES ('lan', false, 'tide', 3);
INSERT INTO public.name_starts VALUES ('lan', false, '最初の灯', 4);
INSERT INTO public.name_starts VALUES ('lan', true, '初の灯', 4);
INSERT INTO public.name_starts VALUES ('lan', true, 'の灯', 4);
INSERT INTO public.name_words VALUES ('first', '{1216469057,901290549,2089301142,-1414692073,-1649725834,-1599392977}');
INSERT INTO public.name_words VALUES ('lantern', '{-1469294289,-1131392099,238952524,963802181,-39396309,-551393732,-1058120801,-722568421}');
INSERT INTO public.name_words VALUES ('tide', '{1632496465,1926213471,-1811680672,-938803199,-955580818}');
INSERT INTO public.name_words VALUES ('最初の灯', '{-1904007531,-303823033,1719165796,2094547435,2071167064}');
INSERT INTO public.observations VALUES ('lantern', 'en:AB1-001_p1', 'lan-ab1-001-en-p1', '8f7e71688be45edc3d48f695692ade8d0546416dbad096e7d78323b2425eba96', '{"game":"lan","set_code":"AB1","card_number":"AB1-001","lang":"en","variant":"p1","name":"First Lantern","name_translations":{"en":"First Lantern"},"rarity":null,"illustrators":null,"attributes":{"block":"none","category":"spell","cost":3}}', 1, 1);
INSERT INTO public.observations VALUES ('lantern', 'en:AB1-002', 'lan-ab1-002-en', '44c4f9ff9b110c1bd73d5d3cfdb58d3603c9c6279a6beb4788cba27cc0d1b9a3', '{"game":"lan","set_code":"AB1","card_number":"AB1-002","lang":"en","variant":"","name":"Tide","name_translations":{"en":"Tide"},"rarity":null,"illustrators":null,"attributes":{"block":"none","category":"site","cost":0}}', 1, 1);
INSERT INTO public.observations VALUES ('lantern', 'en:P-1/2', 'lan-p-1~2f2-en', '546e912006e59fe62c22f4519daac65213773649950b4bcc4f9744dd52ce41ae', '{"game":"lan","set_code":"P","card_number":"P-1/2","lang":"en","variant":"","name":"Odd ★","name_translations":{"en":"Odd ★"},"rarity":null,"illustrators":null,"attributes":{"block":"none"}}', 1, 2);
INSERT INTO public.observations VALUES ('lantern', 'ja:AB1-001', 'lan-ab1-001-ja', 'ac23df0ef8746070ef12c4608bf4a52bf159806e00aa7f0131e0aad888a3ea7d', '{"game":"lan","set_code":"AB1","card_number":"AB1-001","lang":"ja","variant":"","name":"最初の灯","name_translations":{"ja":"最初の灯"},"rarity":null,"illustrators":null,"attributes":{"block":"none","category":"spell","cost":3}}', 1, 1);
INSERT INTO public.organisations VALUES ('41983409-332f-437f-a6b6-f4efcf317037', 'night-owls', 'Night Owls', 'club', 'NL', '{nl,en}', '{op}', 'A club that was made up for trying out.', NULL, NULL, NULL, '2026-11-27 21:41:00.183489+00', '2026-11-27 21:41:00.183489+00', '2026-11-27 21:41:00.195578+00');
INSERT INTO public.people VALUES ('41983409-332f-437f-a6b6-f4efcf317037', 'marigold', '{}', '2026-11-27 21:41:00.083635+00', NULL);
INSERT INTO public.people VALUES ('e68b8771-1047-40e0-8142-5c3f4f601c9c', 'thistle', '{}', '2026-11-27 21:41:00.095383+00', NULL);
INSERT INTO public.people VALUES ('4f0d3327-2ce6-47f9-9f2a-69171fea74fb', 'juniper', '{admin}', '2026-11-27 21:41:00.099262+00', NULL);
INSERT INTO public.people VALUES ('87e171fe-ddf9-42d3-ae93-5bf3c88f9e82', 'nettle', '{}', '2026-11-27 21:41:00.103249+00', '2026-11-27 21:41:00.115419+00');
INSERT INTO public.profiles VALUES ('41983409-332f-437f-a6b6-f4efcf317037', '{en,nl}', 'NL', 'weekly');
INSERT INTO public.profiles VALUES ('e68b8771-1047-40e0-8142-5c3f4f601c9c', '{en,nl}', 'NL', 'weekly');
INSERT INTO public.proof_batches VALUES (1, 1, 3, '33b14f89a29c4139ee501a27a712f3bfcbcbc47407c5845bc08699b78647c661', 'e12b08e289ab617599fb789da00a7c9939577c41c9252d27f46594fe092ebb6a', '2026-11-27 21:41:00.611+00', 'HUNpk_q3M3t30jffcHdNirWKBuhAJekZjpttv09X9IQ', 'S2_Gd8pZMDWCEO3JZYlhJHbiVw6__mzX5YXtI5HMKasRXJQiDkM3eXlAQZBilN9iuNvkVkhHEnGOLY60fOhYDQ', '90f130f04560f299d505ca032838ab481a022630e4de683f15053db6de30c43c', 3, '2026-11-27 21:41:00.544+00', '2026-11-27 21:41:00.577+00');
INSERT INTO public.proof_epochs VALUES (1, 'The first one.', '2026-11-27 21:40:59.569+00', NULL, NULL);
INSERT INTO public.proof_keys VALUES ('HUNpk_q3M3t30jffcHdNirWKBuhAJekZjpttv09X9IQ', 'J_Cz_NHxXIMEOcBbWQfEGUf9Zrajw0wGvzhF7S7O90Q', '2026-11-27 21:41:00.6+00');
INSERT INTO public.proof_nodes VALUES (1, 0, 0, '9f95a197711e112c6dd4410a889da55f8accc96dc638af79587567811c0fd860');
INSERT INTO public.proof_nodes VALUES (1, 0, 1, '9519982e77d6e8747df4a4753d81aa9735edbfab3f98167e0c5e8d66830c03a3');
INSERT INTO public.proof_nodes VALUES (1, 1, 0, 'e802ed1d5b5a1b3ea201d41ada266bca1f6a92b984c932d7ec4b9800c0341f9e');
INSERT INTO public.proof_nodes VALUES (1, 0, 2, '6733d2963729dc5fbe0f182a43c681aa94ee80bc03ff4e348df1da28b727836d');
INSERT INTO public.publication_receipts VALUES ('7bcea3d4-5bc2-4887-9b09-19d260b0b657', '41983409-332f-437f-a6b6-f4efcf317037', 'profile', '2026-11-24', '2026-11-27 21:41:00.107369+00', NULL);
INSERT INTO public.publication_receipts VALUES ('ba3ed8a9-9042-43c7-820c-25d76ddd4417', '41983409-332f-437f-a6b6-f4efcf317037', 'have-list', '2026-11-24', '2026-11-27 21:41:00.143238+00', NULL);
INSERT INTO public.publication_receipts VALUES ('f6221d00-cff4-449b-b7b6-fbd5e83ff077', '41983409-332f-437f-a6b6-f4efcf317037', 'want-list', '2026-11-24', '2026-11-27 21:41:00.151229+00', NULL);
INSERT INTO public.publication_receipts VALUES ('983c1f09-150c-4317-a0c7-5df38b58940e', '41983409-332f-437f-a6b6-f4efcf317037', 'language', '2026-11-24', '2026-11-27 21:41:00.153684+00', NULL);
INSERT INTO public.publication_receipts VALUES ('16396372-e144-436d-80bb-92421c2201cf', '41983409-332f-437f-a6b6-f4efcf317037', 'region', '2026-11-24', '2026-11-27 21:41:00.163377+00', NULL);
INSERT INTO public.publication_receipts VALUES ('e345af0e-f73e-4e7e-a92d-76611ccf57fb', '41983409-332f-437f-a6b6-f4efcf317037', 'organisation', '2026-11-24', '2026-11-27 21:41:00.17532+00', NULL);
INSERT INTO public.runs VALUES (1, 'lantern', 'succeeded', '2026-11-27 21:41:32.35498+00', '2026-11-27 21:41:32.507825+00', 'b037e09b93dd2031b01477757644ed0406b3cd6301eff2e23d35be026a156683', 5, 5, 0, 0, NULL, 188, '0fa7b822d970c2973108c77d7e546195bce4cb135e97007d1a3f29e6ed3f4801', 1);
INSERT INTO public.runs VALUES (2, 'lantern', 'succeeded', '2026-11-27 21:41:39.088173+00', '2026-11-27 21:41:39.243554+00', 'b037e09b93dd2031b01477757644ed0406b3cd6301eff2e23d35be026a156683', 5, 0, 5, 0, NULL, 243, '0fa7b822d970c2973108c77d7e546195bce4cb135e97007d1a3f29e6ed3f4801', 1);
INSERT INTO public.runs VALUES (3, 'lantern', 'succeeded', '2026-11-27 21:41:39.283046+00', '2026-11-27 21:41:39.363642+00', '23ee467684ebd80ef44e9c0be5a19ed322513236afb119ce097c4b17482fb55b', 4, 0, 4, 0, NULL, 97, '0fa7b822d970c2973108c77d7e546195bce4cb135e97007d1a3f29e6ed3f4801', 1);
INSERT INTO public.schema_migrations VALUES (1, '0001_catalogue', 1, '2026-11-27 21:41:58.342+00');
INSERT INTO public.schema_migrations VALUES (2, '0002_sightings', 1, '2026-11-27 21:41:58.364+00');
INSERT INTO public.schema_migrations VALUES (3, '0003_search', 1, '2026-11-27 21:41:58.368+00');
INSERT INTO public.schema_migrations VALUES (4, '0004_families', 1, '2026-11-27 21:41:58.372+00');
INSERT INTO public.schema_migrations VALUES (5, '0005_counts', 1, '2026-11-27 21:41:58.377+00');
INSERT INTO public.schema_migrations VALUES (6, '0006_coverage', 1, '2026-11-27 21:41:58.385+00');
INSERT INTO public.schema_migrations VALUES (7, '0007_identify', 1, '2026-11-27 21:41:58.387+00');
INSERT INTO public.schema_migrations VALUES (8, '0008_statement_ids', 1, '2026-11-27 21:41:58.388+00');
INSERT INTO public.schema_migrations VALUES (9, '0009_withdrawals', 1, '2026-11-27 21:41:58.392+00');
INSERT INTO public.schema_migrations VALUES (10, '0010_names', 1, '2026-11-27 21:41:58.405+00');
INSERT INTO public.schema_migrations VALUES (11, '0011_card_changes', 1, '2026-11-27 21:41:58.411+00');
INSERT INTO public.schema_migrations VALUES (12, '0012_catalogue_state', 1, '2026-11-27 21:41:58.414+00');
INSERT INTO public.schema_migrations VALUES (13, '0013_set_listings', 1, '2026-11-27 21:41:58.417+00');
INSERT INTO public.schema_migrations VALUES (14, '0014_shared', 1, '2026-11-27 21:41:58.421+00');
INSERT INTO public.schema_migrations VALUES (15, '0015_accounts', 1, '2026-11-27 21:41:58.444+00');
INSERT INTO public.schema_migrations VALUES (16, '0016_hunt', 1, '2026-11-27 21:41:58.451+00');
INSERT INTO public.schema_migrations VALUES (17, '0017_collectors', 1, '2026-11-27 21:41:58.462+00');
INSERT INTO public.schema_migrations VALUES (18, '0018_passkeys', 1, '2026-11-27 21:41:58.468+00');
INSERT INTO public.schema_migrations VALUES (19, '0019_mail', 1, '2026-11-27 21:41:58.475+00');
INSERT INTO public.schema_migrations VALUES (20, '0020_inbox', 1, '2026-11-27 21:41:58.478+00');
INSERT INTO public.schema_migrations VALUES (21, '0021_draws', 1, '2026-11-27 21:41:58.495+00');
INSERT INTO public.schema_migrations VALUES (22, '0022_market', 1, '2026-11-27 21:41:58.532+00');
INSERT INTO public.schema_migrations VALUES (23, '0023_set_numbers', 1, '2026-11-27 21:41:58.536+00');
INSERT INTO public.schema_migrations VALUES (24, '0024_reports', 1, '2026-11-27 21:41:58.546+00');
INSERT INTO public.schema_migrations VALUES (25, '0025_limits_and_keys', 1, '2026-11-27 21:41:58.548+00');
INSERT INTO public.schema_migrations_lock VALUES (1, 0);
INSERT INTO public.sessions VALUES ('9d3bbfb7-3e05-43a7-846d-a07a8f807beb', '40c2e42c51dc89172bbdb037fd177c9c0570aaf3e2a0ba2004059575e8da8ebe', 'p8YGhl57uHom4ozEYtpxGR-waRvE8HNaJaf6dAb-x9A', '41983409-332f-437f-a6b6-f4efcf317037', '2026-11-27 21:41:00.223408+00', '2026-11-27', '2027-02-25 21:41:00.223408+00');
INSERT INTO public.sessions VALUES ('e2e34993-7d54-4fcc-9981-84ecc9a4e142', 'bd792d5b0c4b03777ed2a3a5ab3def69773604b4727c8fa68c39a4f5b148938d', 'mxjFeC_2mTK15qCnzjgNNOvyQf4fnRIUjaXyDS1Z64o', '4f0d3327-2ce6-47f9-9f2a-69171fea74fb', '2026-11-27 21:41:00.251175+00', '2026-11-27', '2027-02-25 21:41:00.251175+00');
INSERT INTO public.sessions VALUES ('1854f326-e5b8-4c63-a66e-5148aa03232a', '2cbe6382c8545f5b2e908d1c180faf91e13642b1e2f4b1a2610d36a0751ca40a', 'R3e-o--gsZUe3U2K5M1yct1N5Xyyi4jy1cdk_Al9MxM', 'e68b8771-1047-40e0-8142-5c3f4f601c9c', '2026-11-27 21:41:00.263381+00', '2026-11-27', '2027-02-25 21:41:00.263381+00');
INSERT INTO public.set_listings VALUES (2, '[{"_links":{"canonical":"/api/v1/universal/card/lan-p-1~2f2-en"},"card_number":"P-1/2","edge_kind":"has_card","lang":"en","name":"Odd ★","rarity":null,"target_hash":"ea4ad2dfbcd55d7ec390526596a00967b133d5dabc195529723483c83fd3199b","target_natural_token":"lan-p-1~2f2-en","variant":null}]', 1, 'd895f21a0c5b7ef3e1df42200b4cb506a641c0f8ceb1d649113f500ea376b861');
INSERT INTO public.set_listings VALUES (1, '[{"_links":{"canonical":"/api/v1/universal/card/lan-ab1-001-ja"},"card_number":"AB1-001","edge_kind":"has_card","lang":"ja","name":"最初の灯","rarity":null,"target_hash":"563e33b8bd7b27277ef3402f2828c3cfbd17ee347ed9b18af37f6092583b07ac","target_natural_token":"lan-ab1-001-ja","variant":null},{"_links":{"canonical":"/api/v1/universal/card/lan-ab1-001-en-p1"},"card_number":"AB1-001","edge_kind":"has_card","lang":"en","name":"First Lantern","rarity":null,"target_hash":"eaaa8d97f85be338a195ec13f354ddb290d6faecab4e8353d8942dee1ea0ec7d","target_natural_token":"lan-ab1-001-en-p1","variant":"p1"},{"_links":{"canonical":"/api/v1/universal/card/lan-ab1-002-en"},"card_number":"AB1-002","edge_kind":"has_card","lang":"en","name":"Tide","rarity":null,"target_hash":"7c9596a200b73deb3a0eb0d43440fe13e434bc4beaa19b01953ea1cffff4cb6f","target_natural_token":"lan-ab1-002-en","variant":null}]', 3, '0255fef1bb434eee15c1ccd4d4bb67ed04d658705a4cc38f33a32ca889b70433');
INSERT INTO public.set_numbers VALUES (1, 1, 2, 0, '[]');
INSERT INTO public.set_statements VALUES (1, 'e554ba55df4345826b1e86cad1836c8f708dab9b21bb8d98c956da46511cf2b1', '{"name": "Alpha Beacon", "released_on": "2024-02-29", "released_note": null, "declared_total": 2, "name_translations": {"en": "Alpha Beacon", "ja": "灯台"}}');
INSERT INTO public.set_statements VALUES (2, 'dab83d82bb997657067f4960fd74c18c09035990e862ba9335cded01bdbf7850', '{"name": "Promos", "released_on": null, "released_note": "0000-00-00", "declared_total": null, "name_translations": {"en": "Promos"}}');
INSERT INTO public.sets VALUES (2, 'lan', 'P', 'p', 'Promos', '{"en": "Promos"}', NULL, '0000-00-00', NULL, 1, '5a8c65978ddc63e26705a421b5ef489fc27c800b9980263b1b927b7e629bbd2e', '2026-11-27 21:41:32.34098+00', 1);
INSERT INTO public.sets VALUES (1, 'lan', 'AB1', 'ab1', 'Alpha Beacon', '{"en": "Alpha Beacon", "ja": "灯台"}', '2024-02-29', NULL, 2, 3, '345222d38dbf6e82ece22dadb7fbc8dd43fa01e2a5f66f598fa6e2398db3b467', '2026-11-27 21:41:32.34098+00', 2);
INSERT INTO public.sightings VALUES ('lantern', 'en:AB1-001', 'lan-ab1-001-en', 1, 3);
INSERT INTO public.sign_in_counts VALUES (191, 1);
INSERT INTO public.sign_in_counts VALUES (35, 1);
INSERT INTO public.sign_in_counts VALUES (160, 1);
INSERT INTO public.withdrawals VALUES ('lan-ab1-001-en', 'lantern', '2026-11-27 21:41:39.283046+00', 'gone', NULL);
SELECT pg_catalog.setval('public.account_acts_id_seq', 23, true);
SELECT pg_catalog.setval('public.auction_bids_id_seq', 3, true);
SELECT pg_catalog.setval('public.auction_events_id_seq', 18, true);
SELECT pg_catalog.setval('public.card_changes_id_seq', 1, true);
SELECT pg_catalog.setval('public.card_names_id_seq', 4, true);
SELECT pg_catalog.setval('public.draws_nonce_seq', 1, false);
SELECT pg_catalog.setval('public.quarantine_id_seq', 1, false);
SELECT pg_catalog.setval('public.runs_id_seq', 3, true);
SELECT pg_catalog.setval('public.schema_migrations_id_seq', 25, true);
SELECT pg_catalog.setval('public.schema_migrations_lock_index_seq', 1, true);
SELECT pg_catalog.setval('public.set_statements_id_seq', 2, true);
SELECT pg_catalog.setval('public.sets_id_seq', 2, true);
ALTER TABLE ONLY public.access_keys
    ADD CONSTRAINT access_keys_digest_unique UNIQUE (digest);
ALTER TABLE ONLY public.access_keys
    ADD CONSTRAINT access_keys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.account_acts
    ADD CONSTRAINT account_acts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.artists
    ADD CONSTRAINT artists_pkey PRIMARY KEY (game, name);
ALTER TABLE ONLY public.auction_addresses
    ADD CONSTRAINT auction_addresses_pkey PRIMARY KEY (auction);
ALTER TABLE ONLY public.auction_bids
    ADD CONSTRAINT auction_bids_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.auction_events
    ADD CONSTRAINT auction_events_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.auction_reviews
    ADD CONSTRAINT auction_reviews_auction_by_unique UNIQUE (auction, by);
ALTER TABLE ONLY public.auction_reviews
    ADD CONSTRAINT auction_reviews_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.auctions
    ADD CONSTRAINT auctions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.card_changes
    ADD CONSTRAINT card_changes_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.card_names
    ADD CONSTRAINT card_names_game_name_key UNIQUE (game, name);
ALTER TABLE ONLY public.card_names
    ADD CONSTRAINT card_names_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.cards
    ADD CONSTRAINT cards_pkey PRIMARY KEY (sku);
ALTER TABLE ONLY public.catalogue_state
    ADD CONSTRAINT catalogue_state_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.content_reports
    ADD CONSTRAINT content_reports_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.declared_sets
    ADD CONSTRAINT declared_sets_pkey PRIMARY KEY (source, game, code_key);
ALTER TABLE ONLY public.disagreements
    ADD CONSTRAINT disagreements_pkey PRIMARY KEY (sku, field);
ALTER TABLE ONLY public.draw_rates
    ADD CONSTRAINT draw_rates_pkey PRIMARY KEY (digest);
ALTER TABLE ONLY public.draws
    ADD CONSTRAINT draws_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.feedback_reports
    ADD CONSTRAINT feedback_reports_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.fraud_signals
    ADD CONSTRAINT fraud_signals_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.games
    ADD CONSTRAINT games_pkey PRIMARY KEY (token);
ALTER TABLE ONLY public.hunt_cases
    ADD CONSTRAINT hunt_cases_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.hunt_turns
    ADD CONSTRAINT hunt_turns_agent_client_request_id_unique UNIQUE (agent, client_request_id);
ALTER TABLE ONLY public.hunt_turns
    ADD CONSTRAINT hunt_turns_case_id_agent_unique UNIQUE (case_id, agent);
ALTER TABLE ONLY public.hunt_turns
    ADD CONSTRAINT hunt_turns_pkey PRIMARY KEY (case_id, role);
ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (person, route, key);
ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_pkey PRIMARY KEY (digest);
ALTER TABLE ONLY public.list_cards
    ADD CONSTRAINT list_cards_pkey PRIMARY KEY (person, list, sku);
ALTER TABLE ONLY public.mail_addresses
    ADD CONSTRAINT mail_addresses_address_unique UNIQUE (address);
ALTER TABLE ONLY public.mail_addresses
    ADD CONSTRAINT mail_addresses_pkey PRIMARY KEY (person);
ALTER TABLE ONLY public.mailed_codes
    ADD CONSTRAINT mailed_codes_pkey PRIMARY KEY (request);
ALTER TABLE ONLY public.name_starts
    ADD CONSTRAINT name_starts_pkey PRIMARY KEY (game, is_inner, start, name_id);
ALTER TABLE ONLY public.name_words
    ADD CONSTRAINT name_words_pkey PRIMARY KEY (word);
ALTER TABLE ONLY public.observations
    ADD CONSTRAINT observations_pkey PRIMARY KEY (source, native_id);
ALTER TABLE ONLY public.organisations
    ADD CONSTRAINT organisations_pkey PRIMARY KEY (person);
ALTER TABLE ONLY public.organisations
    ADD CONSTRAINT organisations_slug_unique UNIQUE (slug);
ALTER TABLE ONLY public.outside_readings
    ADD CONSTRAINT outside_readings_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.passkey_challenges
    ADD CONSTRAINT passkey_challenges_pkey PRIMARY KEY (digest);
ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_credential_unique UNIQUE (credential);
ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.people
    ADD CONSTRAINT people_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.people
    ADD CONSTRAINT people_username_unique UNIQUE (username);
ALTER TABLE ONLY public.profiles
    ADD CONSTRAINT profiles_pkey PRIMARY KEY (person);
ALTER TABLE ONLY public.proof_batches
    ADD CONSTRAINT proof_batches_chain_hash_unique UNIQUE (chain_hash);
ALTER TABLE ONLY public.proof_batches
    ADD CONSTRAINT proof_batches_epoch_tree_size_unique UNIQUE (epoch, tree_size);
ALTER TABLE ONLY public.proof_batches
    ADD CONSTRAINT proof_batches_pkey PRIMARY KEY (batch);
ALTER TABLE ONLY public.proof_epochs
    ADD CONSTRAINT proof_epochs_pkey PRIMARY KEY (epoch);
ALTER TABLE ONLY public.proof_keys
    ADD CONSTRAINT proof_keys_pkey PRIMARY KEY (key_id);
ALTER TABLE ONLY public.proof_nodes
    ADD CONSTRAINT proof_nodes_pkey PRIMARY KEY (epoch, level, index);
ALTER TABLE ONLY public.publication_receipts
    ADD CONSTRAINT publication_receipts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.quarantine
    ADD CONSTRAINT quarantine_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.rate_limits
    ADD CONSTRAINT rate_limits_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.runs
    ADD CONSTRAINT runs_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.schema_migrations_lock
    ADD CONSTRAINT schema_migrations_lock_pkey PRIMARY KEY (index);
ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.secrets
    ADD CONSTRAINT secrets_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_digest_unique UNIQUE (digest);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.set_listings
    ADD CONSTRAINT set_listings_pkey PRIMARY KEY (set_id);
ALTER TABLE ONLY public.set_numbers
    ADD CONSTRAINT set_numbers_pkey PRIMARY KEY (set_id);
ALTER TABLE ONLY public.set_statements
    ADD CONSTRAINT set_statements_digest_unique UNIQUE (digest);
ALTER TABLE ONLY public.set_statements
    ADD CONSTRAINT set_statements_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.sets
    ADD CONSTRAINT sets_game_code_key_unique UNIQUE (game, code_key);
ALTER TABLE ONLY public.sets
    ADD CONSTRAINT sets_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.sightings
    ADD CONSTRAINT sightings_pkey PRIMARY KEY (source, native_id, from_run);
ALTER TABLE ONLY public.sign_in_codes
    ADD CONSTRAINT sign_in_codes_pkey PRIMARY KEY (person);
ALTER TABLE ONLY public.sign_in_counts
    ADD CONSTRAINT sign_in_counts_pkey PRIMARY KEY (part);
ALTER TABLE ONLY public.unseen_sets
    ADD CONSTRAINT unseen_sets_pkey PRIMARY KEY (set_id, source);
ALTER TABLE ONLY public.withdrawals
    ADD CONSTRAINT withdrawals_pkey PRIMARY KEY (sku);
CREATE INDEX access_keys_person_index ON public.access_keys USING btree (person);
CREATE INDEX account_acts_at_index ON public.account_acts USING btree (at);
CREATE INDEX artists_name_key_index ON public.artists USING btree (name_key);
CREATE INDEX auction_addresses_person_index ON public.auction_addresses USING btree (person);
CREATE INDEX auction_bids_auction_index ON public.auction_bids USING btree (auction);
CREATE INDEX auction_bids_bidder_index ON public.auction_bids USING btree (bidder);
CREATE INDEX auction_events_auction_index ON public.auction_events USING btree (auction);
CREATE UNIQUE INDEX auction_offers_open ON public.auction_bids USING btree (auction, bidder) WHERE (state = 'open'::text);
CREATE INDEX auction_reviews_about_index ON public.auction_reviews USING btree (about);
CREATE INDEX auction_reviews_author_index ON public.auction_reviews USING btree (author);
CREATE INDEX auctions_due ON public.auctions USING btree (ends_at) WHERE (status = ANY (ARRAY['scheduled'::text, 'live'::text]));
CREATE INDEX auctions_seller_index ON public.auctions USING btree (seller);
CREATE INDEX auctions_sku_index ON public.auctions USING btree (sku);
CREATE INDEX auctions_winner_index ON public.auctions USING btree (winner);
CREATE INDEX card_changes_former_hash_index ON public.card_changes USING hash (former_hash) WHERE (former_hash IS NOT NULL);
CREATE INDEX card_changes_sku_index ON public.card_changes USING btree (sku);
CREATE INDEX card_changes_source_index ON public.card_changes USING btree (source);
CREATE INDEX cards_content_hash_index ON public.cards USING hash (content_hash);
CREATE INDEX cards_game_index ON public.cards USING btree (game);
CREATE INDEX cards_number_key_index ON public.cards USING btree (number_key, sku);
CREATE INDEX cards_place_key_index ON public.cards USING btree (place_key, sku);
CREATE INDEX cards_printed_key_index ON public.cards USING btree (printed_key, sku);
CREATE INDEX cards_set_id_index ON public.cards USING btree (set_id);
CREATE INDEX content_reports_auction_index ON public.content_reports USING btree (auction);
CREATE INDEX content_reports_organisation_index ON public.content_reports USING btree (organisation);
CREATE UNIQUE INDEX content_reports_reporter_auction_idx ON public.content_reports USING btree (reporter, auction) WHERE (decided_at IS NULL);
CREATE UNIQUE INDEX content_reports_reporter_organisation_idx ON public.content_reports USING btree (reporter, organisation) WHERE (decided_at IS NULL);
CREATE INDEX content_reports_reporter_reported_at_index ON public.content_reports USING btree (reporter, reported_at);
CREATE UNIQUE INDEX content_reports_reporter_review_idx ON public.content_reports USING btree (reporter, review) WHERE (decided_at IS NULL);
CREATE INDEX content_reports_review_index ON public.content_reports USING btree (review);
CREATE INDEX coverage_patterns_game_index ON public.coverage_patterns USING btree (game);
CREATE INDEX declared_sets_game_code_key_index ON public.declared_sets USING btree (game, code_key);
CREATE INDEX draws_batch_index ON public.draws USING btree (batch);
CREATE INDEX draws_begun_at_index ON public.draws USING btree (begun_at);
CREATE INDEX draws_opened_at_index ON public.draws USING btree (opened_at);
CREATE INDEX draws_unbatched ON public.draws USING btree (opened_at, id) WHERE ((opened_at IS NOT NULL) AND (batch IS NULL));
CREATE INDEX feedback_reports_received_at_index ON public.feedback_reports USING btree (received_at);
CREATE INDEX fraud_signals_person_index ON public.fraud_signals USING btree (person);
CREATE INDEX games_content_hash_index ON public.games USING btree (content_hash);
CREATE INDEX hunt_cases_candidate_id_index ON public.hunt_cases USING btree (candidate_id);
CREATE INDEX idempotency_keys_created_at_index ON public.idempotency_keys USING btree (created_at);
CREATE INDEX mailed_codes_address_asked_at_index ON public.mailed_codes USING btree (address, asked_at);
CREATE INDEX name_words_likeness_index ON public.name_words USING gin (word public.gin_trgm_ops);
CREATE INDEX name_words_marks_index ON public.name_words USING gin (marks) WITH (fastupdate=off);
CREATE INDEX observations_sku_index ON public.observations USING btree (sku);
CREATE INDEX passkey_challenges_expires_at_index ON public.passkey_challenges USING btree (expires_at);
CREATE INDEX passkeys_person_index ON public.passkeys USING btree (person);
CREATE INDEX proof_batches_signed_at_index ON public.proof_batches USING btree (signed_at);
CREATE UNIQUE INDEX publication_receipts_current ON public.publication_receipts USING btree (person, scope) WHERE (withdrawn_at IS NULL);
CREATE INDEX publication_receipts_person_index ON public.publication_receipts USING btree (person);
CREATE INDEX quarantine_run_index ON public.quarantine USING btree (run);
CREATE INDEX runs_source_index ON public.runs USING btree (source);
CREATE INDEX sessions_person_index ON public.sessions USING btree (person);
CREATE INDEX sets_code_key_index ON public.sets USING btree (code_key);
CREATE INDEX sets_content_hash_index ON public.sets USING btree (content_hash);
CREATE INDEX sets_declared_total_index ON public.sets USING btree (game, declared_total);
CREATE INDEX sightings_sku_index ON public.sightings USING btree (sku);
CREATE TRIGGER auction_bid BEFORE INSERT ON public.auction_bids FOR EACH ROW EXECUTE FUNCTION public.check_auction_bid();
CREATE TRIGGER auction_change BEFORE UPDATE ON public.auctions FOR EACH ROW EXECUTE FUNCTION public.check_auction_change();
ALTER TABLE ONLY public.access_keys
    ADD CONSTRAINT access_keys_person_foreign FOREIGN KEY (person) REFERENCES public.people(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.auction_addresses
    ADD CONSTRAINT auction_addresses_auction_foreign FOREIGN KEY (auction) REFERENCES public.auctions(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.auction_addresses
    ADD CONSTRAINT auction_addresses_person_foreign FOREIGN KEY (person) REFERENCES public.people(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.auction_bids
    ADD CONSTRAINT auction_bids_auction_foreign FOREIGN KEY (auction) REFERENCES public.auctions(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.auction_bids
    ADD CONSTRAINT auction_bids_bidder_foreign FOREIGN KEY (bidder) REFERENCES public.people(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.auction_events
    ADD CONSTRAINT auction_events_auction_foreign FOREIGN KEY (auction) REFERENCES public.auctions(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.auction_reviews
    ADD CONSTRAINT auction_reviews_about_foreign FOREIGN KEY (about) REFERENCES public.people(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.auction_reviews
    ADD CONSTRAINT auction_reviews_auction_foreign FOREIGN KEY (auction) REFERENCES public.auctions(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.auction_reviews
    ADD CONSTRAINT auction_reviews_author_foreign FOREIGN KEY (author) REFERENCES public.people(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.auctions
    ADD CONSTRAINT auctions_seller_foreign FOREIGN KEY (seller) REFERENCES public.people(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.auctions
    ADD CONSTRAINT auctions_winner_foreign FOREIGN KEY (winner) REFERENCES public.people(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.content_reports
    ADD CONSTRAINT content_reports_auction_foreign FOREIGN KEY (auction) REFERENCES public.auctions(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.content_reports
    ADD CONSTRAINT content_reports_organisation_foreign FOREIGN KEY (organisation) REFERENCES public.organisations(person) ON DELETE SET NULL;
ALTER TABLE ONLY public.content_reports
    ADD CONSTRAINT content_reports_reporter_foreign FOREIGN KEY (reporter) REFERENCES public.people(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.content_reports
    ADD CONSTRAINT content_reports_review_foreign FOREIGN KEY (review) REFERENCES public.auction_reviews(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.draws
    ADD CONSTRAINT draws_batch_foreign FOREIGN KEY (batch) REFERENCES public.proof_batches(batch);
ALTER TABLE ONLY public.draws
    ADD CONSTRAINT draws_rates_digest_foreign FOREIGN KEY (rates_digest) REFERENCES public.draw_rates(digest);
ALTER TABLE ONLY public.fraud_signals
    ADD CONSTRAINT fraud_signals_person_foreign FOREIGN KEY (person) REFERENCES public.people(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.hunt_turns
    ADD CONSTRAINT hunt_turns_agent_foreign FOREIGN KEY (agent) REFERENCES public.access_keys(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.hunt_turns
    ADD CONSTRAINT hunt_turns_case_id_foreign FOREIGN KEY (case_id) REFERENCES public.hunt_cases(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_person_foreign FOREIGN KEY (person) REFERENCES public.people(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.list_cards
    ADD CONSTRAINT list_cards_person_foreign FOREIGN KEY (person) REFERENCES public.people(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.mail_addresses
    ADD CONSTRAINT mail_addresses_person_foreign FOREIGN KEY (person) REFERENCES public.people(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.mailed_codes
    ADD CONSTRAINT mailed_codes_person_foreign FOREIGN KEY (person) REFERENCES public.people(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.organisations
    ADD CONSTRAINT organisations_person_foreign FOREIGN KEY (person) REFERENCES public.people(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.passkey_challenges
    ADD CONSTRAINT passkey_challenges_person_foreign FOREIGN KEY (person) REFERENCES public.people(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_person_foreign FOREIGN KEY (person) REFERENCES public.people(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.profiles
    ADD CONSTRAINT profiles_person_foreign FOREIGN KEY (person) REFERENCES public.people(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.proof_batches
    ADD CONSTRAINT proof_batches_epoch_foreign FOREIGN KEY (epoch) REFERENCES public.proof_epochs(epoch);
ALTER TABLE ONLY public.proof_batches
    ADD CONSTRAINT proof_batches_key_id_foreign FOREIGN KEY (key_id) REFERENCES public.proof_keys(key_id);
ALTER TABLE ONLY public.proof_nodes
    ADD CONSTRAINT proof_nodes_epoch_foreign FOREIGN KEY (epoch) REFERENCES public.proof_epochs(epoch);
ALTER TABLE ONLY public.publication_receipts
    ADD CONSTRAINT publication_receipts_person_foreign FOREIGN KEY (person) REFERENCES public.people(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.quarantine
    ADD CONSTRAINT quarantine_run_foreign FOREIGN KEY (run) REFERENCES public.runs(id);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_person_foreign FOREIGN KEY (person) REFERENCES public.people(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.set_listings
    ADD CONSTRAINT set_listings_set_id_foreign FOREIGN KEY (set_id) REFERENCES public.sets(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.set_numbers
    ADD CONSTRAINT set_numbers_set_id_foreign FOREIGN KEY (set_id) REFERENCES public.sets(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.sign_in_codes
    ADD CONSTRAINT sign_in_codes_person_foreign FOREIGN KEY (person) REFERENCES public.people(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.unseen_sets
    ADD CONSTRAINT unseen_sets_set_id_foreign FOREIGN KEY (set_id) REFERENCES public.sets(id) ON DELETE CASCADE;
